account-your-bots = Your bots
