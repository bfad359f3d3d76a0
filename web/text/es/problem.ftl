problem-request = ; petición
problem-claim-a-name-or-sign = Elige un nombre o entra
problem-back-to-the-form = Volver al formulario
problem-front-page = Portada
