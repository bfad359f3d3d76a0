-- Message and hint of a refusal as codes with parts, in JSON; none for earlier ones.
alter table versions add column refusal_told text;
