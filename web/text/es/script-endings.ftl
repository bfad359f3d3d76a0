# Why games end, and why seats cannot go on, by their codes.

script-reason-extinction = nadie más tiene células vivas
script-reason-mutual-extinction = a nadie le quedan células vivas
script-reason-majority = fue el último turno
script-reason-exhausted = se ha hecho la última jugada
script-reason-stalemate = no queda ninguna jugada posible
script-reason-agreed = ambos lo acordaron
script-forfeit-fuel-exhausted = se quedó sin combustible
script-forfeit-stack-overflow = desbordó su pila
script-forfeit-trap = falló
script-forfeit-bad-pointer = apuntó fuera de su memoria
script-forfeit-bad-output = dio bytes que no son una acción
script-forfeit-illegal-move = jugó algo que no es legal
script-forfeit-resigned = se rindió
script-forfeit-out-of-time = se quedó sin tiempo
