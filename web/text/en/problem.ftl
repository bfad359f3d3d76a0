problem-request = ; request
problem-claim-a-name-or-sign = Claim a name or sign in
problem-back-to-the-form = Back to the form
problem-choose-the-file-again = What you typed is still here. Choose the file again.
problem-still-here-too = What you typed is still here.
problem-still-here = What you typed is still here: sign in in another tab, and send it again.
problem-send-again = Send it again
problem-front-page = Front page
