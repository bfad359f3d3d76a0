-- Browsers in which accounts signed in, by the hash of what the browser keeps: two accounts of one browser play no rated games with each
-- other.
create table browsers (
    account integer not null references accounts (id),
    browser blob not null check (length(browser) = 32),
    seen_at integer not null,
    primary key (account, browser)
) strict, without rowid;
