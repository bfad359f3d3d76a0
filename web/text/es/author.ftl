author-bots-of-this-author = Los bots de este autor.
author-and-how-they-stand = Los bots de este autor y su puesto en la última edición de su juego.
author-since = Desde
author-version = versión { $active }
author-no-version = ninguna versión
