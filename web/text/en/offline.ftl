offline-no-connection = No connection
offline-this-page-is-not-stored = This page is not stored on this device. It appears by itself when the connection is back; nothing of it is lost.
offline-nothing-was-sent = Nothing was sent. What you typed is in its form, where this page returns to by itself when the connection is back: send it again there.
offline-try-now = Try now
offline-what-works-without-a-connection = What works without a connection:
offline-practice-against-the-built-in-opponents = practice against the built-in opponents
