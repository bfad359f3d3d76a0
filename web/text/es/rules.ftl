rules-the-rules-in-short = Las reglas en breve
rules-rules-of = Reglas de { $title }
rules-these-are-the-rules-of-a-tournaments = Estas son las reglas de la partida de un torneo. Las personas juegan en mundos que nunca terminan:
rules-the-rules-of-a-world = las reglas de un mundo
rules-rules-of-a-world-of-life2 = Reglas de un mundo de Life2
