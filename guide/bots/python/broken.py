def turn(o)
    return place(o.legal()[:4])
