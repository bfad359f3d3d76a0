# Refusals of rooms and worlds: each id ends with a code of the API.

script-answers-too-many = has pedido demasiado en poco tiempo; inténtalo otra vez dentro de un rato
script-answers-rate-limited = demasiados mensajes en poco tiempo
script-answers-read-only = por el momento esta arena solo se puede mirar: su operador ha cerrado todos los cambios
script-answers-unavailable = el sitio no pudo hacerlo; inténtalo de nuevo en un momento
script-answers-bad-message = el sitio no entiende a esta página; recárgala
script-answers-gone = no existe esa sala
script-other-answer = esto se ha rechazado ({ $code })
