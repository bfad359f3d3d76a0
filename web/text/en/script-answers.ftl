# Refusals of rooms and worlds: each id ends with a code of the API.

script-answers-too-many = too much was asked for in a short time; try again in a while
script-answers-rate-limited = too many messages in a short time
script-answers-read-only = this arena can only be looked at for the moment: its operator has closed all changes
script-answers-unavailable = the site could not do this; try again in a moment
script-answers-bad-message = the site does not understand this page; reload it
script-answers-gone = there is no such room
script-other-answer = this was refused ({ $code })
