open-open-a-tournament = Open a tournament
open-drop-a-tournaments-folder-or-its = Drop a tournament’s folder or its archive on this page to see its standings and watch its games. Nothing is uploaded.
open-an-archive-tar-zst-or-tar = An archive, <code>.tar.zst</code> or <code>.tar</code>
open-a-folder = A folder
open-this-page-reads-the-folder = This page reads the folder by script. <code>arena tournament standings FOLDER</code> shows the same in a terminal.
open-these-results-are-the-folders = These results are the folder’s own claim. A game that you watch is checked by the rules; <code>arena verify</code> replays every game with the bots.
