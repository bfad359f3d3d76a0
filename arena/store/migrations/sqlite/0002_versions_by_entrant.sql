-- Who is behind the id of an entrant: asked for every name on a page.
create index versions_by_entrant on versions (entrant, state, submitted_at);
