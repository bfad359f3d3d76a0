//! Tests of the bot.

mod slow {
    mod strength;
}
