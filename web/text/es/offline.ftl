offline-no-connection = Sin conexión
offline-this-page-is-not-stored = Esta página no está guardada en este dispositivo. Aparece sola cuando vuelve la conexión; no se pierde nada de ella.
offline-nothing-was-sent = No se envió nada. Lo que escribiste está en su formulario, adonde esta página vuelve sola cuando hay conexión: envíalo allí otra vez.
offline-try-now = Probar ahora
offline-what-works-without-a-connection = Lo que funciona sin conexión:
offline-practice-against-the-built-in-opponents = práctica contra los rivales integrados
