-- Games of people that the operator took out of the count: why. What was done to which is in the log of acts, too.
alter table people_games add column annulled text;
alter table audit add column game text;
