offline-no-connection = Sin conexión
offline-this-page-is-not-stored = Esta página no está guardada en este dispositivo. Aparece sola cuando vuelve la conexión; no se pierde nada de ella.
offline-try-now = Probar ahora
offline-what-works-without-a-connection = Lo que funciona sin conexión:
offline-practice-against-the-built-in-opponents = práctica contra los rivales integrados
