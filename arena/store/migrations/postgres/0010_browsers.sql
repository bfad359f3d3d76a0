-- Browsers in which accounts signed in, by the hash of what the browser keeps: two accounts of one browser play no rated games with each
-- other.
create table browsers (
    account bigint not null references accounts (id),
    browser bytea not null check (length(browser) = 32),
    seen_at bigint not null,
    primary key (account, browser)
);
