problem-request = ; request
problem-claim-a-name-or-sign = Claim a name or sign in
problem-back-to-the-form = Back to the form
problem-front-page = Front page
