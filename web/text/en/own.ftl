own-look-at-it = Look at it
own-play-on = Play on
own-against = against { $against }
own-a-person = a person
