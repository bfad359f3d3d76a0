author-bots-of-this-author = Bots of this author.
author-and-how-they-stand = Bots of this author, and how they stand in the latest edition of their game.
author-since = Since
author-version = version { $active }
author-no-version = no version
