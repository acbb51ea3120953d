@rem "npm start" begins with exec, so that the shell makes way for the server. Shells have that built in; the one of Windows finds this instead.
@%*
