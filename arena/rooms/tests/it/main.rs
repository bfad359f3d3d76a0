//! Rooms: what they take, what they refuse, and that nothing but their log makes them.

mod any;
mod bank;
mod commands;
mod limits;
mod logs;
mod people;
mod records;
mod table;
mod three_seats;
mod toy;
mod views;
mod walks;
