offline-no-connection = No connection
offline-this-page-is-not-stored = This page is not stored on this device. It appears by itself when the connection is back; nothing of it is lost.
offline-try-now = Try now
offline-what-works-without-a-connection = What works without a connection:
offline-practice-against-the-built-in-opponents = practice against the built-in opponents
