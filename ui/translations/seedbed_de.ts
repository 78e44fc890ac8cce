<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="de">
<context>
    <name>EmptyState</name>
    <message>
        <source>Read how</source>
        <translation>Anleitung lesen</translation>
    </message>
    <message>
        <source>Read how in the user guide</source>
        <translation>Anleitung im Handbuch lesen</translation>
    </message>
</context>
<context>
    <name>Events</name>
    <message>
        <source>training started</source>
        <translation>Training begonnen</translation>
    </message>
    <message>
        <source>paused</source>
        <translation>angehalten</translation>
    </message>
    <message>
        <source>training resumed after a pause</source>
        <translation>das Training geht nach einer Pause weiter</translation>
    </message>
    <message>
        <source>resumed from the checkpoint at step %1; it continues bit for bit</source>
        <translation>fortgesetzt vom Speicherstand von Schritt %1; es geht Bit für Bit weiter</translation>
    </message>
    <message>
        <source>the computer slept for %1; training continues</source>
        <translation>der Rechner hat %1 geschlafen; das Training geht weiter</translation>
    </message>
    <message>
        <source>the computer's clock changed by %1 s; times of this run are not affected</source>
        <translation>die Uhr des Rechners wurde um %1 s verstellt; die Zeiten dieses Laufs gehen gleichmäßig weiter</translation>
    </message>
    <message>
        <source>settings changed: %1</source>
        <translation>Einstellungen geändert: %1</translation>
    </message>
    <message>
        <source>stopped on request</source>
        <translation>auf Wunsch gestoppt</translation>
    </message>
    <message>
        <source>paused: %1</source>
        <translation>pausiert: %1</translation>
    </message>
    <message>
        <source>normal priority</source>
        <translation>normale Priorität</translation>
    </message>
    <message>
        <source>low priority: %1</source>
        <translation>niedrige Priorität: %1</translation>
    </message>
</context>
<context>
    <name>Family</name>
    <message>
        <source>Popular</source>
        <translation>Beliebt</translation>
    </message>
    <message>
        <source>Classic control</source>
        <translation>Klassische Regelung</translation>
    </message>
    <message>
        <source>Arcade</source>
        <translation>Arcade</translation>
    </message>
    <message>
        <source>Mazes and puzzles</source>
        <translation>Labyrinthe und Rätsel</translation>
    </message>
    <message>
        <source>Memory</source>
        <translation>Gedächtnis</translation>
    </message>
    <message>
        <source>Several players</source>
        <translation>Mehrere Spieler</translation>
    </message>
</context>
<context>
    <name>FileDialog</name>
    <message>
        <source>Folder</source>
        <translation>Ordner</translation>
    </message>
    <message>
        <source>File name</source>
        <translation>Name der Datei</translation>
    </message>
    <message>
        <source>File type</source>
        <translation>Art der Datei</translation>
    </message>
    <message>
        <source>Files</source>
        <translation>Dateien</translation>
    </message>
    <message>
        <source>File details</source>
        <translation>Dateien mit Einzelheiten</translation>
    </message>
    <message>
        <source>Places</source>
        <translation>Orte</translation>
    </message>
</context>
<context>
    <name>Keys</name>
    <message>
        <source>Chart</source>
        <translation>Diagramm</translation>
    </message>
    <message>
        <source>Watched agents</source>
        <translation>Agenten, die spielen</translation>
    </message>
    <message>
        <source>New run</source>
        <translation>Formular eines Laufs</translation>
    </message>
    <message>
        <source>Tables</source>
        <translation>Tabellen</translation>
    </message>
    <message>
        <source>Zoom in or out</source>
        <translation>Vergrößern oder verkleinern</translation>
    </message>
    <message>
        <source>Zoom the y axis</source>
        <translation>Die Werte strecken oder stauchen</translation>
    </message>
    <message>
        <source>Pan, or move the crosshair with Ctrl</source>
        <translation>Den gezeigten Abschnitt verschieben, mit Strg das Fadenkreuz</translation>
    </message>
    <message>
        <source>Open the menu of the point at the crosshair: watch the agent at this step</source>
        <translation>Dem Agenten dieses Augenblicks zusehen: das Menü des Punkts am Fadenkreuz</translation>
    </message>
    <message>
        <source>Previous or next agent</source>
        <translation>Voriger oder nächster Agent</translation>
    </message>
    <message>
        <source>First or last agent</source>
        <translation>Der erste oder der letzte Agent</translation>
    </message>
    <message>
        <source>Show only the focused agent</source>
        <translation>Nur der Agent im Blick</translation>
    </message>
    <message>
        <source>Change the setting</source>
        <translation>Die Einstellung ändern</translation>
    </message>
    <message>
        <source>Show the run of this row</source>
        <translation>Den Lauf dieser Zeile zeigen</translation>
    </message>
    <message>
        <source>Zoom with the wheel (without Ctrl if the chart has the focus)</source>
        <translation>Mit dem Mausrad vergrößern; ohne Strg, wo das Diagramm den Fokus hat</translation>
    </message>
    <message>
        <source>Ctrl+Wheel</source>
        <translation>Strg+Mausrad</translation>
    </message>
    <message>
        <source>Pan with the wheel</source>
        <translation>Den gezeigten Abschnitt mit dem Mausrad verschieben</translation>
    </message>
    <message>
        <source>Shift+Wheel</source>
        <translation>Umschalt+Mausrad</translation>
    </message>
    <message>
        <source>Show all data (also by double-click)</source>
        <translation>Alles zeigen; das tut auch ein Doppelklick</translation>
    </message>
</context>
<context>
    <name>Message</name>
    <message>
        <source>No problem</source>
        <translation>Kein Problem</translation>
    </message>
</context>
<context>
    <name>Metric</name>
    <message>
        <source>Training return</source>
        <translation>Ertrag im Training</translation>
    </message>
    <message>
        <source>Evaluation return</source>
        <translation>Ertrag der Auswertungen</translation>
    </message>
    <message>
        <source>Policy loss</source>
        <translation>Verlust der Policy</translation>
    </message>
    <message>
        <source>Value loss</source>
        <translation>Verlust des Werts</translation>
    </message>
    <message>
        <source>Gradient norm</source>
        <translation>Norm des Gradienten</translation>
    </message>
    <message>
        <source>Learning rate</source>
        <translation>Lernrate</translation>
    </message>
    <message>
        <source>Clip fraction</source>
        <translation>Anteil abgeschnittener Verhältnisse</translation>
    </message>
    <message>
        <source>Entropy coefficient</source>
        <translation>Gewicht der Entropie</translation>
    </message>
    <message>
        <source>Explained variance</source>
        <translation>Erklärte Varianz des Werts</translation>
    </message>
    <message>
        <source>Probability of a random action</source>
        <translation>Wahrscheinlichkeit einer zufälligen Aktion</translation>
    </message>
    <message>
        <source>Decisions in the replay</source>
        <translation>Entscheidungen im Replay</translation>
    </message>
    <message>
        <source>Q value of the chosen actions</source>
        <translation>Q-Wert der gewählten Aktionen</translation>
    </message>
    <message>
        <source>Temporal-difference error</source>
        <translation>Temporal-Difference-Fehler</translation>
    </message>
    <message>
        <source>Environment time (s)</source>
        <translation>Zeit der Umgebungen (s)</translation>
    </message>
    <message>
        <source>Inference time (s)</source>
        <translation>Zeit der Inferenz (s)</translation>
    </message>
    <message>
        <source>Data gathering time (s)</source>
        <translation>Zeit zum Sammeln der Daten (s)</translation>
    </message>
    <message>
        <source>Target computation time (s)</source>
        <translation>Zeit der Zielwerte (s)</translation>
    </message>
    <message>
        <source>Forward pass time (s)</source>
        <translation>Zeit des Vorwärtsgangs (s)</translation>
    </message>
    <message>
        <source>Loss time (s)</source>
        <translation>Zeit des Verlusts (s)</translation>
    </message>
    <message>
        <source>Backward pass time (s)</source>
        <translation>Zeit des Rückwärtsgangs (s)</translation>
    </message>
    <message>
        <source>Optimiser time (s)</source>
        <translation>Zeit des Optimierers (s)</translation>
    </message>
    <message>
        <source>Time waiting for other threads (s)</source>
        <translation>Zeit des Wartens auf andere (s)</translation>
    </message>
    <message>
        <source>Idle time (s)</source>
        <translation>Zeit ohne Arbeit (s)</translation>
    </message>
    <message>
        <source>Rows masked as too old</source>
        <translation>Zeilen, zu alt zum Lernen</translation>
    </message>
    <message>
        <source>Rollouts waiting for the learner</source>
        <translation>Rollouts, die auf den Lerner warten</translation>
    </message>
    <message>
        <source>Episode length (steps)</source>
        <translation>Länge der Episoden (Schritte)</translation>
    </message>
    <message>
        <source>Entropy (nats)</source>
        <translation>Entropie (Nats)</translation>
    </message>
    <message>
        <source>KL divergence per update (nats)</source>
        <translation>KL-Divergenz je Lernschritt (Nats)</translation>
    </message>
    <message>
        <source>Policy lag (updates)</source>
        <translation>Rückstand der Policy (Lernschritte)</translation>
    </message>
    <message>
        <source>Maximum policy lag (updates)</source>
        <translation>Größter Rückstand der Policy (Lernschritte)</translation>
    </message>
    <message>
        <source>Speed without evaluations (steps/s)</source>
        <translation>Tempo ohne Auswertungen (Schritte/s)</translation>
    </message>
    <message>
        <source>Speed without evaluations (frames/s)</source>
        <translation>Tempo ohne Auswertungen (Bilder/s)</translation>
    </message>
    <message>
        <source>Speed without evaluations (updates/s)</source>
        <translation>Tempo ohne Auswertungen (Lernschritte/s)</translation>
    </message>
    <message>
        <source>Novelty of the observations</source>
        <translation>Neuheit der Beobachtungen</translation>
    </message>
    <message>
        <source>Value loss of the intrinsic reward</source>
        <translation>Verlust des Werts der intrinsischen Belohnung</translation>
    </message>
    <message>
        <source>Weight of the KL divergence</source>
        <translation>Gewicht der KL-Divergenz</translation>
    </message>
    <message>
        <source>KL divergence of the standard deviations (nats)</source>
        <translation>KL-Divergenz der Standardabweichungen (Nats)</translation>
    </message>
    <message>
        <source>Weight of the standard deviations' KL divergence</source>
        <translation>Gewicht der KL-Divergenz der Standardabweichungen</translation>
    </message>
    <message>
        <source>Temperature of the advantages</source>
        <translation>Temperatur der Advantages</translation>
    </message>
    <message>
        <source>Effective share of the replay</source>
        <translation>Effektiver Anteil des Replays</translation>
    </message>
    <message>
        <source>Scale of the value targets</source>
        <translation>Skala der Zielwerte</translation>
    </message>
    <message>
        <source>Passes over each rollout</source>
        <translation>Durchgänge je Rollout</translation>
    </message>
    <message>
        <source>Ratio of acting time to learning time</source>
        <translation>Zeitverhältnis von Handeln zu Lernen</translation>
    </message>
</context>
<context>
    <name>Page</name>
    <message>
        <source>&amp;Run</source>
        <translation>&amp;Lauf</translation>
    </message>
    <message>
        <source>&amp;Export a policy</source>
        <translation>Policy &amp;exportieren</translation>
    </message>
    <message>
        <source>&amp;Queue</source>
        <translation>&amp;Warteschlange</translation>
    </message>
    <message>
        <source>&amp;Start</source>
        <translation>&amp;Start</translation>
    </message>
    <message>
        <source>&amp;Watch</source>
        <translation>&amp;Zusehen</translation>
    </message>
    <message>
        <source>Your own environment</source>
        <translation>Eigene Umgebung</translation>
    </message>
    <message>
        <source>&amp;Packs</source>
        <translation>&amp;Pakete</translation>
    </message>
    <message>
        <source>&amp;Leagues</source>
        <translation>Li&amp;gen</translation>
    </message>
    <message>
        <source>P&amp;opulations</source>
        <translation>P&amp;opulationen</translation>
    </message>
    <message>
        <source>&amp;Duel</source>
        <translation>D&amp;uell</translation>
    </message>
    <message>
        <source>Li&amp;brary</source>
        <translation>Bi&amp;bliothek</translation>
    </message>
    <message>
        <source>Ru&amp;ns</source>
        <translation>Lä&amp;ufe</translation>
    </message>
</context>
<context>
    <name>QDialog</name>
    <message>
        <source>Close</source>
        <translation>Schließen</translation>
    </message>
    <message>
        <source>Keyboard shortcuts</source>
        <translation>Tastenkürzel</translation>
    </message>
    <message>
        <source>Where</source>
        <translation>Wo</translation>
    </message>
    <message>
        <source>What</source>
        <translation>Was</translation>
    </message>
    <message>
        <source>Keys</source>
        <translation>Tasten</translation>
    </message>
    <message>
        <source>About Seedbed</source>
        <translation>Über Seedbed</translation>
    </message>
    <message>
        <source>Trains reinforcement-learning agents on this computer.</source>
        <translation>Trainiert auf diesem Rechner Agenten durch bestärkendes Lernen.</translation>
    </message>
    <message>
        <source>This window is free software under the GNU General Public License, version 3 or later; the libraries and the program “seedbed” under the Apache License 2.0. There is no warranty. It opens no network connections, needs no account and sends no data.</source>
        <translation>Dieses Fenster ist freie Software unter der GNU General Public License, Version 3 oder neuer; die Bibliotheken und das Programm „seedbed“ stehen unter der Apache-Lizenz 2.0. Es gibt keine Gewährleistung. Das Fenster öffnet keine Netzwerkverbindung, hat kein Konto und verschickt nichts.</translation>
    </message>
    <message>
        <source>Part</source>
        <translation>Bestandteil</translation>
    </message>
    <message>
        <source>Version</source>
        <translation>Version</translation>
    </message>
    <message>
        <source>Licence</source>
        <translation>Lizenz</translation>
    </message>
    <message>
        <source>This page is part of the source tree, which is not installed: %1</source>
        <translation>Diese Seite gehört zum Quelltext, der nicht installiert ist: %1</translation>
    </message>
    <message>
        <source>User guide</source>
        <translation>Benutzerhandbuch</translation>
    </message>
    <message>
        <source>Back</source>
        <translation>Zurück</translation>
    </message>
    <message>
        <source>Contents</source>
        <translation>Inhalt</translation>
    </message>
    <message>
        <source>The user guide is not installed. It is in the docs folder of the source tree.</source>
        <translation>Das Benutzerhandbuch ist nicht installiert. Es liegt im Ordner docs des Quelltexts.</translation>
    </message>
</context>
<context>
    <name>XAxis</name>
    <message>
        <source>Steps</source>
        <translation>Schritte</translation>
    </message>
    <message>
        <source>Updates</source>
        <translation>Lernschritte</translation>
    </message>
    <message>
        <source>Episodes</source>
        <translation>Episoden</translation>
    </message>
    <message>
        <source>Wall time (s)</source>
        <translation>Uhrzeit (s)</translation>
    </message>
    <message>
        <source>Training time (s)</source>
        <translation>Trainingszeit (s)</translation>
    </message>
    <message>
        <source>Normalised score</source>
        <translation>Normierte Punktzahl</translation>
    </message>
</context>
<context>
    <name>core</name>
    <message>
        <source>Acrobot</source>
        <translation>Acrobot</translation>
    </message>
    <message>
        <source>Swing the tip of a two-link robot above the line by driving the joint between the links.</source>
        <translation>Schwinge die Spitze eines zweigliedrigen Arms über die Linie; angetrieben wird nur das Gelenk dazwischen.</translation>
    </message>
    <message>
        <source>torque -1 N m</source>
        <translation>Drehmoment -1 N m</translation>
    </message>
    <message>
        <source>no torque</source>
        <translation>kein Drehmoment</translation>
    </message>
    <message>
        <source>torque +1 N m</source>
        <translation>Drehmoment +1 N m</translation>
    </message>
    <message>
        <source>Bit flipping</source>
        <translation>Bits kippen</translation>
    </message>
    <message>
        <source>optimum</source>
        <translation>Optimum</translation>
    </message>
    <message>
        <source>flip bit 0</source>
        <translation>Bit 0 kippen</translation>
    </message>
    <message>
        <source>flip bit 1</source>
        <translation>Bit 1 kippen</translation>
    </message>
    <message>
        <source>flip bit 2</source>
        <translation>Bit 2 kippen</translation>
    </message>
    <message>
        <source>flip bit 3</source>
        <translation>Bit 3 kippen</translation>
    </message>
    <message>
        <source>flip bit 4</source>
        <translation>Bit 4 kippen</translation>
    </message>
    <message>
        <source>flip bit 5</source>
        <translation>Bit 5 kippen</translation>
    </message>
    <message>
        <source>flip bit 6</source>
        <translation>Bit 6 kippen</translation>
    </message>
    <message>
        <source>flip bit 7</source>
        <translation>Bit 7 kippen</translation>
    </message>
    <message>
        <source>flip bit 8</source>
        <translation>Bit 8 kippen</translation>
    </message>
    <message>
        <source>flip bit 9</source>
        <translation>Bit 9 kippen</translation>
    </message>
    <message>
        <source>nothing</source>
        <translation>nichts</translation>
    </message>
    <message>
        <source>CartPole</source>
        <translation>CartPole</translation>
    </message>
    <message>
        <source>Keep a pole upright on a cart by pushing the cart left or right.</source>
        <translation>Balanciere einen Stab auf einem Wagen, indem du den Wagen nach links oder rechts schiebst.</translation>
    </message>
    <message>
        <source>push left</source>
        <translation>nach links schieben</translation>
    </message>
    <message>
        <source>push right</source>
        <translation>nach rechts schieben</translation>
    </message>
    <message>
        <source>CartPole, positions only</source>
        <translation>CartPole, nur Positionen</translation>
    </message>
    <message>
        <source>Catch</source>
        <translation>Catch</translation>
    </message>
    <message>
        <source>Move the paddle under the falling ball.</source>
        <translation>Schiebe den Schläger unter den fallenden Ball.</translation>
    </message>
    <message>
        <source>left</source>
        <translation>links</translation>
    </message>
    <message>
        <source>stay</source>
        <translation>bleiben</translation>
    </message>
    <message>
        <source>right</source>
        <translation>rechts</translation>
    </message>
    <message>
        <source>Catch in pixels</source>
        <translation>Catch in Pixeln</translation>
    </message>
    <message>
        <source>Connect Four</source>
        <translation>Vier gewinnt</translation>
    </message>
    <message>
        <source>Two players drop discs into seven columns; four in a row win.</source>
        <translation>Zwei Spieler werfen Scheiben in sieben Spalten; vier in einer Reihe gewinnen.</translation>
    </message>
    <message>
        <source>column 1</source>
        <translation>Spalte 1</translation>
    </message>
    <message>
        <source>column 2</source>
        <translation>Spalte 2</translation>
    </message>
    <message>
        <source>column 3</source>
        <translation>Spalte 3</translation>
    </message>
    <message>
        <source>column 4</source>
        <translation>Spalte 4</translation>
    </message>
    <message>
        <source>column 5</source>
        <translation>Spalte 5</translation>
    </message>
    <message>
        <source>column 6</source>
        <translation>Spalte 6</translation>
    </message>
    <message>
        <source>column 7</source>
        <translation>Spalte 7</translation>
    </message>
    <message>
        <source>wait</source>
        <translation>warten</translation>
    </message>
    <message>
        <source>bit is -1</source>
        <translation>Bit ist -1</translation>
    </message>
    <message>
        <source>bit is 1</source>
        <translation>Bit ist 1</translation>
    </message>
    <message>
        <source>Collect the gold and avoid the enemies.</source>
        <translation>Sammle das Gold ein und weiche den Gegnern aus.</translation>
    </message>
    <message>
        <source>no-op</source>
        <translation>nichts tun</translation>
    </message>
    <message>
        <source>up</source>
        <translation>hinauf</translation>
    </message>
    <message>
        <source>down</source>
        <translation>hinunter</translation>
    </message>
    <message>
        <source>fire</source>
        <translation>schießen</translation>
    </message>
    <message>
        <source>Bounce the ball with the paddle and break the bricks.</source>
        <translation>Wirf den Ball mit dem Schläger zurück und zerschlage die Steine.</translation>
    </message>
    <message>
        <source>Shoot fish and submarines, pick up divers, and surface before the air runs out.</source>
        <translation>Schieße auf Fische und U-Boote, nimm Taucher auf und tauche auf, bevor die Luft ausgeht.</translation>
    </message>
    <message>
        <source>Shoot the aliens before they arrive.</source>
        <translation>Schieße die Außerirdischen ab, bevor sie ankommen.</translation>
    </message>
    <message>
        <source>Fetch the key, unlock the door and reach the green goal behind it.</source>
        <translation>Hole den Schlüssel, schließe die Tür auf und erreiche das grüne Ziel dahinter.</translation>
    </message>
    <message>
        <source>forward</source>
        <translation>vorwärts</translation>
    </message>
    <message>
        <source>pick up</source>
        <translation>aufheben</translation>
    </message>
    <message>
        <source>drop</source>
        <translation>ablegen</translation>
    </message>
    <message>
        <source>toggle</source>
        <translation>umschalten</translation>
    </message>
    <message>
        <source>done</source>
        <translation>fertig</translation>
    </message>
    <message>
        <source>Reach the green goal without bumping into the wandering balls.</source>
        <translation>Erreiche das grüne Ziel, ohne an die umherwandernden Bälle zu stoßen.</translation>
    </message>
    <message>
        <source>Walk through an empty room to the green goal.</source>
        <translation>Geh durch einen leeren Raum zum grünen Ziel.</translation>
    </message>
    <message>
        <source>Find the goal in four rooms that are joined by gaps in their walls.</source>
        <translation>Finde das Ziel in vier Räumen, die durch Lücken in ihren Wänden verbunden sind.</translation>
    </message>
    <message>
        <source>Cross the rivers of lava through their gaps and reach the green goal.</source>
        <translation>Überquere die Lavaströme durch ihre Lücken und erreiche das grüne Ziel.</translation>
    </message>
    <message>
        <source>Remember the object at the start and turn to the same one at the end of the hallway.</source>
        <translation>Merke dir den Gegenstand vom Anfang und wende dich am Ende des Flurs dem gleichen zu.</translation>
    </message>
    <message>
        <source>Drive an underpowered car up a hill by rocking back and forth.</source>
        <translation>Fahre einen zu schwachen Wagen einen Berg hinauf, indem du Schwung holst.</translation>
    </message>
    <message>
        <source>accelerate left</source>
        <translation>nach links beschleunigen</translation>
    </message>
    <message>
        <source>coast</source>
        <translation>rollen lassen</translation>
    </message>
    <message>
        <source>accelerate right</source>
        <translation>nach rechts beschleunigen</translation>
    </message>
    <message>
        <source>Drive an underpowered car up a hill with as little force as possible.</source>
        <translation>Fahre einen zu schwachen Wagen mit so wenig Kraft wie möglich einen Berg hinauf.</translation>
    </message>
    <message>
        <source>force</source>
        <translation>Kraft</translation>
    </message>
    <message>
        <source>Pendulum</source>
        <translation>Pendel</translation>
    </message>
    <message>
        <source>Swing a pendulum up and hold it upright with a weak motor.</source>
        <translation>Schwinge ein Pendel mit einem schwachen Motor auf und halte es aufrecht.</translation>
    </message>
    <message>
        <source>torque (N m)</source>
        <translation>Drehmoment (N m)</translation>
    </message>
    <message>
        <source>Pendulum, position only</source>
        <translation>Pendel, nur Position</translation>
    </message>
    <message>
        <source>Pong for two</source>
        <translation>Pong zu zweit</translation>
    </message>
    <message>
        <source>Pong alone</source>
        <translation>Pong allein</translation>
    </message>
    <message>
        <source>Pong alone in pixels</source>
        <translation>Pong allein in Pixeln</translation>
    </message>
    <message>
        <source>clubs</source>
        <translation>Kreuz</translation>
    </message>
    <message>
        <source>diamonds</source>
        <translation>Karo</translation>
    </message>
    <message>
        <source>hearts</source>
        <translation>Herz</translation>
    </message>
    <message>
        <source>spades</source>
        <translation>Pik</translation>
    </message>
    <message>
        <source>Answer with the suit of the card dealt 3 cards before the latest one.</source>
        <translation>Antworte mit der Farbe der Karte, die 3 Karten vor der neuesten lag.</translation>
    </message>
    <message>
        <source>Answer with the suit of the card dealt 63 cards before the latest one.</source>
        <translation>Antworte mit der Farbe der Karte, die 63 Karten vor der neuesten lag.</translation>
    </message>
    <message>
        <source>Answer with the suit of the card dealt 31 cards before the latest one.</source>
        <translation>Antworte mit der Farbe der Karte, die 31 Karten vor der neuesten lag.</translation>
    </message>
    <message>
        <source>T-maze</source>
        <translation>T-Labyrinth</translation>
    </message>
    <message>
        <source>Remember the sign at the start of the corridor and turn that way at its end.</source>
        <translation>Merke dir das Zeichen am Anfang des Gangs und biege an seinem Ende dorthin ab.</translation>
    </message>
    <message>
        <source>north</source>
        <translation>Norden</translation>
    </message>
    <message>
        <source>east</source>
        <translation>Osten</translation>
    </message>
    <message>
        <source>south</source>
        <translation>Süden</translation>
    </message>
    <message>
        <source>west</source>
        <translation>Westen</translation>
    </message>
    <message>
        <source>Toy memory</source>
        <translation>Gedächtnisspiel</translation>
    </message>
    <message>
        <source>Watch 3 vectors, then repeat them as actions in the same order.</source>
        <translation>Sieh 3 Vektoren an und wiederhole sie dann in gleicher Reihenfolge als Aktionen.</translation>
    </message>
    <message>
        <source>Two states</source>
        <translation>Zwei Zustände</translation>
    </message>
    <message>
        <source>switch</source>
        <translation>wechseln</translation>
    </message>
    <message>
        <source>Wrapper: sticky actions</source>
        <translation>Hülle: klebrige Aktionen</translation>
    </message>
    <message>
        <source>Wrapper: action repeat</source>
        <translation>Hülle: Aktion wiederholen</translation>
    </message>
    <message>
        <source>steps</source>
        <translation>Schritte</translation>
    </message>
    <message>
        <source>Environment steps per decision; their rewards are summed.</source>
        <translation>Schritte der Umgebung je Entscheidung; ihre Belohnungen werden addiert.</translation>
    </message>
    <message>
        <source>Wrapper: no-op starts</source>
        <translation>Hülle: Starts mit No-op</translation>
    </message>
    <message>
        <source>Wrapper: reward clip</source>
        <translation>Hülle: Belohnungsclip</translation>
    </message>
    <message>
        <source>Wrapper: reward scale</source>
        <translation>Hülle: Belohnungsfaktor</translation>
    </message>
    <message>
        <source>Wrapper: time limit</source>
        <translation>Hülle: Zeitgrenze</translation>
    </message>
    <message>
        <source>decisions</source>
        <translation>Entscheidungen</translation>
    </message>
    <message>
        <source>Rollout length</source>
        <translation>Rollout-Länge</translation>
    </message>
    <message>
        <source>Decisions per environment between two updates.</source>
        <translation>Entscheidungen jeder Umgebung zwischen zwei Lernschritten.</translation>
    </message>
    <message>
        <source>Epochs</source>
        <translation>Epochen</translation>
    </message>
    <message>
        <source>Passes over the data of one update.</source>
        <translation>Durchgänge durch die Daten eines Lernschritts.</translation>
    </message>
    <message>
        <source>Minibatches</source>
        <translation>Minibatches</translation>
    </message>
    <message>
        <source>Gamma</source>
        <translation>Gamma</translation>
    </message>
    <message>
        <source>Discount factor per decision.</source>
        <translation>Abschlag auf die Belohnung, die eine Entscheidung später kommt.</translation>
    </message>
    <message>
        <source>Lambda</source>
        <translation>Lambda</translation>
    </message>
    <message>
        <source>Learning rate</source>
        <translation>Lernrate</translation>
    </message>
    <message>
        <source>Learning-rate schedule</source>
        <translation>Verlauf der Lernrate</translation>
    </message>
    <message>
        <source>Learning-rate horizon</source>
        <translation>Horizont der Lernrate</translation>
    </message>
    <message>
        <source>Learning-rate end</source>
        <translation>Lernrate am Ende</translation>
    </message>
    <message>
        <source>Learning rate at the end of the linear schedule and after it.</source>
        <translation>Lernrate am Ende des linearen Verlaufs und danach.</translation>
    </message>
    <message>
        <source>Desired KL</source>
        <translation>Gewünschte KL</translation>
    </message>
    <message>
        <source>nats</source>
        <translation>nats</translation>
    </message>
    <message>
        <source>Learning-rate minimum</source>
        <translation>Kleinste Lernrate</translation>
    </message>
    <message>
        <source>Lower bound of the schedule kl_adaptive.</source>
        <translation>Untere Grenze des Verlaufs kl_adaptive.</translation>
    </message>
    <message>
        <source>Learning-rate maximum</source>
        <translation>Größte Lernrate</translation>
    </message>
    <message>
        <source>Upper bound of the schedule kl_adaptive.</source>
        <translation>Obere Grenze des Verlaufs kl_adaptive.</translation>
    </message>
    <message>
        <source>Clip</source>
        <translation>Clip</translation>
    </message>
    <message>
        <source>Clip schedule</source>
        <translation>Verlauf des Clips</translation>
    </message>
    <message>
        <source>Value clip</source>
        <translation>Clip des Werts</translation>
    </message>
    <message>
        <source>Value cost</source>
        <translation>Gewicht des Werts</translation>
    </message>
    <message>
        <source>Weight of half the squared value error in the loss.</source>
        <translation>Gewicht des halben quadrierten Fehlers des Werts im Verlust.</translation>
    </message>
    <message>
        <source>Entropy cost</source>
        <translation>Gewicht der Entropie</translation>
    </message>
    <message>
        <source>Entropy schedule</source>
        <translation>Verlauf der Entropie</translation>
    </message>
    <message>
        <source>Normalise advantages</source>
        <translation>Advantages normieren</translation>
    </message>
    <message>
        <source>Target KL</source>
        <translation>KL-Grenze</translation>
    </message>
    <message>
        <source>Sequence</source>
        <translation>Sequenz</translation>
    </message>
    <message>
        <source>Correction</source>
        <translation>Korrektur</translation>
    </message>
    <message>
        <source>Rho bar</source>
        <translation>Rho-Grenze</translation>
    </message>
    <message>
        <source>C bar</source>
        <translation>C-Grenze</translation>
    </message>
    <message>
        <source>Encoder</source>
        <translation>Encoder</translation>
    </message>
    <message>
        <source>Hidden</source>
        <translation>Verdeckte Schichten</translation>
    </message>
    <message>
        <source>units</source>
        <translation>Einheiten</translation>
    </message>
    <message>
        <source>Widths of the fully connected layers after the encoder.</source>
        <translation>Breiten der voll verbundenen Schichten nach dem Encoder.</translation>
    </message>
    <message>
        <source>Activation</source>
        <translation>Aktivierung</translation>
    </message>
    <message>
        <source>Layer norm</source>
        <translation>Layer Norm</translation>
    </message>
    <message>
        <source>Normalise the features of each hidden layer before its activation.</source>
        <translation>Normiert die Merkmale jeder verdeckten Schicht vor ihrer Aktivierung.</translation>
    </message>
    <message>
        <source>Core</source>
        <translation>Kern</translation>
    </message>
    <message>
        <source>Memory across steps: none, a long short-term memory or a gated recurrent unit.</source>
        <translation>Gedächtnis über Schritte hinweg: keines, LSTM oder GRU.</translation>
    </message>
    <message>
        <source>Core size</source>
        <translation>Größe des Kerns</translation>
    </message>
    <message>
        <source>Width of the recurrent core.</source>
        <translation>Breite des rekurrenten Kerns.</translation>
    </message>
    <message>
        <source>Previous action</source>
        <translation>Vorige Aktion</translation>
    </message>
    <message>
        <source>Previous reward</source>
        <translation>Vorige Belohnung</translation>
    </message>
    <message>
        <source>Separate critic</source>
        <translation>Eigener Critic</translation>
    </message>
    <message>
        <source>Log standard deviation</source>
        <translation>Log-Streuung</translation>
    </message>
    <message>
        <source>Initial log standard deviation</source>
        <translation>Log-Streuung am Anfang</translation>
    </message>
    <message>
        <source>Squash</source>
        <translation>Stauchen</translation>
    </message>
    <message>
        <source>Normalise observations</source>
        <translation>Beobachtungen normalisieren</translation>
    </message>
    <message>
        <source>Normalise vector observations by their running mean and variance.</source>
        <translation>Normiert Vektor-Beobachtungen nach ihrem laufenden Mittel und ihrer Varianz.</translation>
    </message>
    <message>
        <source>Kind</source>
        <translation>Art</translation>
    </message>
    <message>
        <source>Update rule.</source>
        <translation>Regel, nach der Parameter geändert werden.</translation>
    </message>
    <message>
        <source>Beta1</source>
        <translation>Beta1</translation>
    </message>
    <message>
        <source>Beta2</source>
        <translation>Beta2</translation>
    </message>
    <message>
        <source>Epsilon</source>
        <translation>Epsilon</translation>
    </message>
    <message>
        <source>Added to the root of the mean squared gradient to avoid division by zero.</source>
        <translation>Wird zur Wurzel des mittleren quadrierten Gradienten addiert, damit nie durch null geteilt wird.</translation>
    </message>
    <message>
        <source>Alpha</source>
        <translation>Alpha</translation>
    </message>
    <message>
        <source>Momentum</source>
        <translation>Momentum</translation>
    </message>
    <message>
        <source>Epsilon inside sqrt</source>
        <translation>Epsilon in der Wurzel</translation>
    </message>
    <message>
        <source>RMSProp: add epsilon inside the root, as in TensorFlow, not outside as in PyTorch.</source>
        <translation>RMSProp: Epsilon in der Wurzel addieren wie TensorFlow, nicht außerhalb wie PyTorch.</translation>
    </message>
    <message>
        <source>Weight decay</source>
        <translation>Weight Decay</translation>
    </message>
    <message>
        <source>Weight decay: each step scales parameters by 1 - learning rate x this value.</source>
        <translation>Verkleinert die Parameter in jedem Schritt um diesen Anteil der Lernrate.</translation>
    </message>
    <message>
        <source>Maximum gradient norm</source>
        <translation>Größte Norm des Gradienten</translation>
    </message>
    <message>
        <source>Number of environments</source>
        <translation>Zahl der Umgebungen</translation>
    </message>
    <message>
        <source>Groups</source>
        <translation>Gruppen</translation>
    </message>
    <message>
        <source>Threads</source>
        <translation>Threads</translation>
    </message>
    <message>
        <source>Open windows</source>
        <translation>Offene Fenster</translation>
    </message>
    <message>
        <source>Restarts</source>
        <translation>Neustarts</translation>
    </message>
    <message>
        <source>Stall timeout</source>
        <translation>Geduld bei Stillstand</translation>
    </message>
    <message>
        <source>s</source>
        <translation>s</translation>
    </message>
    <message>
        <source>Batch rows</source>
        <translation>Zeilen je Batch</translation>
    </message>
    <message>
        <source>rows</source>
        <translation>Zeilen</translation>
    </message>
    <message>
        <source>Deadline</source>
        <translation>Frist</translation>
    </message>
    <message>
        <source>ms</source>
        <translation>ms</translation>
    </message>
    <message>
        <source>never</source>
        <translation>nie</translation>
    </message>
    <message>
        <source>Devices</source>
        <translation>Geräte</translation>
    </message>
    <message>
        <source>Chunk rows</source>
        <translation>Zeilen je Chunk</translation>
    </message>
    <message>
        <source>Columns</source>
        <translation>Spalten</translation>
    </message>
    <message>
        <source>Maximum policy lag</source>
        <translation>Größter Rückstand der Policy</translation>
    </message>
    <message>
        <source>updates</source>
        <translation>Lernschritte</translation>
    </message>
    <message>
        <source>Interval</source>
        <translation>Abstand</translation>
    </message>
    <message>
        <source>Episodes</source>
        <translation>Episoden</translation>
    </message>
    <message>
        <source>Final episodes</source>
        <translation>Episoden am Ende</translation>
    </message>
    <message>
        <source>none</source>
        <translation>keine</translation>
    </message>
    <message>
        <source>Greedy</source>
        <translation>Greedy</translation>
    </message>
    <message>
        <source>Time share</source>
        <translation>Zeitanteil</translation>
    </message>
    <message>
        <source>only every_s counts</source>
        <translation>nur every_s zählt</translation>
    </message>
    <message>
        <source>Milestone steps</source>
        <translation>Schritte je Meilenstein</translation>
    </message>
    <message>
        <source>Seed</source>
        <translation>Seed</translation>
    </message>
    <message>
        <source>Steps</source>
        <translation>Schritte</translation>
    </message>
    <message>
        <source>no limit</source>
        <translation>keine Grenze</translation>
    </message>
    <message>
        <source>Horizon</source>
        <translation>Horizont</translation>
    </message>
    <message>
        <source>Minutes</source>
        <translation>Minuten</translation>
    </message>
    <message>
        <source>min</source>
        <translation>min</translation>
    </message>
    <message>
        <source>Stop after this much training time; 0: no limit.</source>
        <translation>Ende nach so viel Trainingszeit; 0: keine Grenze.</translation>
    </message>
    <message>
        <source>Target return</source>
        <translation>Ziel-Ertrag</translation>
    </message>
    <message>
        <source>return</source>
        <translation>Ertrag</translation>
    </message>
    <message>
        <source>Stop when an evaluation reaches this mean return; -1e30: never.</source>
        <translation>Ende, wenn eine Auswertung diesen mittleren Ertrag erreicht; -1e30: nie.</translation>
    </message>
    <message>
        <source>one per core</source>
        <translation>einer je Kern</translation>
    </message>
    <message>
        <source>Device</source>
        <translation>Gerät</translation>
    </message>
    <message>
        <source>Engine</source>
        <translation>Engine</translation>
    </message>
    <message>
        <source>Schedule</source>
        <translation>Schedule</translation>
    </message>
    <message>
        <source>Inference</source>
        <translation>Inferenz</translation>
    </message>
    <message>
        <source>Keep awake</source>
        <translation>Wach halten</translation>
    </message>
    <message>
        <source>Forced lag</source>
        <translation>Erzwungener Rückstand</translation>
    </message>
    <message>
        <source>Bits</source>
        <translation>Bits</translation>
    </message>
    <message>
        <source>bits</source>
        <translation>Bits</translation>
    </message>
    <message>
        <source>Length of the state and of the goal.</source>
        <translation>Länge des Zustands und des Ziels.</translation>
    </message>
    <message>
        <source>Hide velocities</source>
        <translation>Geschwindigkeiten verbergen</translation>
    </message>
    <message>
        <source>Pixels</source>
        <translation>Pixel</translation>
    </message>
    <message>
        <source>Stack</source>
        <translation>Stapel</translation>
    </message>
    <message>
        <source>frames</source>
        <translation>Bilder</translation>
    </message>
    <message>
        <source>Size</source>
        <translation>Größe</translation>
    </message>
    <message>
        <source>cells</source>
        <translation>Felder</translation>
    </message>
    <message>
        <source>Width and depth of the sea.</source>
        <translation>Breite und Tiefe der See.</translation>
    </message>
    <message>
        <source>Stochastic</source>
        <translation>Stochastisch</translation>
    </message>
    <message>
        <source>Steps to the right fail with probability 1/size, and both corners at the bottom give normally distributed rewards.</source>
        <translation>Schritte nach rechts misslingen mit Wahrscheinlichkeit 1/size, und beide unteren Ecken geben normalverteilte Belohnungen.</translation>
    </message>
    <message>
        <source>Randomize actions</source>
        <translation>Aktionen vertauschen</translation>
    </message>
    <message>
        <source>Mapping seed</source>
        <translation>Seed der Zuordnung</translation>
    </message>
    <message>
        <source>Memory length</source>
        <translation>Gedächtnislänge</translation>
    </message>
    <message>
        <source>Minimal actions</source>
        <translation>Nur nötige Aktionen</translation>
    </message>
    <message>
        <source>Sticky actions</source>
        <translation>Klebrige Aktionen</translation>
    </message>
    <message>
        <source>Ramping</source>
        <translation>Steigerung</translation>
    </message>
    <message>
        <source>The game speeds up whenever the submarine surfaces.</source>
        <translation>Jedes Auftauchen macht das Spiel schneller.</translation>
    </message>
    <message>
        <source>Surfacing</source>
        <translation>Auftauchen</translation>
    </message>
    <message>
        <source>Each wave of aliens moves faster than the last.</source>
        <translation>Jede Welle von Außerirdischen bewegt sich schneller.</translation>
    </message>
    <message>
        <source>Obstacles</source>
        <translation>Hindernisse</translation>
    </message>
    <message>
        <source>Random start</source>
        <translation>Zufälliger Start</translation>
    </message>
    <message>
        <source>Crossings</source>
        <translation>Ströme</translation>
    </message>
    <message>
        <source>Random length</source>
        <translation>Zufällige Länge</translation>
    </message>
    <message>
        <source>Goal velocity</source>
        <translation>Geschwindigkeit am Ziel</translation>
    </message>
    <message>
        <source>1/step</source>
        <translation>1/Schritt</translation>
    </message>
    <message>
        <source>The car must pass the flag at least this fast.</source>
        <translation>So schnell muss der Wagen mindestens an der Fahne vorbeifahren.</translation>
    </message>
    <message>
        <source>Gravity</source>
        <translation>Schwerkraft</translation>
    </message>
    <message>
        <source>m/s^2</source>
        <translation>m/s^2</translation>
    </message>
    <message>
        <source>Hide velocity</source>
        <translation>Geschwindigkeit verbergen</translation>
    </message>
    <message>
        <source>Opponent</source>
        <translation>Gegner</translation>
    </message>
    <message>
        <source>Observation</source>
        <translation>Beobachtung</translation>
    </message>
    <message>
        <source>Points</source>
        <translation>Punkte</translation>
    </message>
    <message>
        <source>points</source>
        <translation>Punkte</translation>
    </message>
    <message>
        <source>Decks</source>
        <translation>Kartenspiele</translation>
    </message>
    <message>
        <source>decks</source>
        <translation>Kartenspiele</translation>
    </message>
    <message>
        <source>K</source>
        <translation>K</translation>
    </message>
    <message>
        <source>cards</source>
        <translation>Karten</translation>
    </message>
    <message>
        <source>Length</source>
        <translation>Länge</translation>
    </message>
    <message>
        <source>Steps from the start to the junction.</source>
        <translation>Schritte vom Anfang bis zur Gabelung.</translation>
    </message>
    <message>
        <source>Vectors to remember, one per step.</source>
        <translation>Vektoren, die zu merken sind, einer je Schritt.</translation>
    </message>
    <message>
        <source>Numbers</source>
        <translation>Zahlen</translation>
    </message>
    <message>
        <source>Numbers in a vector, and in an action.</source>
        <translation>Zahlen in einem Vektor und in einer Aktion.</translation>
    </message>
    <message>
        <source>End probability</source>
        <translation>Wahrscheinlichkeit des Endes</translation>
    </message>
    <message>
        <source>Probability that an episode terminates after a step.</source>
        <translation>Wahrscheinlichkeit, dass eine Episode nach einem Schritt endet.</translation>
    </message>
    <message>
        <source>Pg rho bar</source>
        <translation>Rho-Grenze der Policy</translation>
    </message>
    <message>
        <source>Entropy control</source>
        <translation>Steuerung der Entropie</translation>
    </message>
    <message>
        <source>Target entropy</source>
        <translation>Ziel der Entropie</translation>
    </message>
    <message>
        <source>Entropy rate</source>
        <translation>Rate der Entropie</translation>
    </message>
    <message>
        <source>KL cost</source>
        <translation>Gewicht der KL</translation>
    </message>
    <message>
        <source>Reduction</source>
        <translation>Zusammenfassung</translation>
    </message>
    <message>
        <source>Acrobot with PPO</source>
        <translation>Acrobot mit PPO</translation>
    </message>
    <message>
        <source>CartPole with PPO</source>
        <translation>CartPole mit PPO</translation>
    </message>
    <message>
        <source>CartPole with V-trace</source>
        <translation>CartPole mit V-trace</translation>
    </message>
    <message>
        <source>Catch with PPO</source>
        <translation>Catch mit PPO</translation>
    </message>
    <message>
        <source>Catch in pixels with PPO and the Nature network</source>
        <translation>Catch in Pixeln mit PPO und dem Nature-Netz</translation>
    </message>
    <message>
        <source>Catch in pixels with V-trace and the shallow IMPALA network</source>
        <translation>Catch in Pixeln mit V-trace und dem flachen IMPALA-Netz</translation>
    </message>
    <message>
        <source>Connect Four with PPO</source>
        <translation>Vier gewinnt mit PPO</translation>
    </message>
    <message>
        <source>DeepSea 10 with PPO</source>
        <translation>DeepSea 10 mit PPO</translation>
    </message>
    <message>
        <source>MemoryChain with PPO and a GRU</source>
        <translation>MemoryChain mit PPO und einem GRU</translation>
    </message>
    <message>
        <source>MinAtar Asterix with PPO</source>
        <translation>MinAtar Asterix mit PPO</translation>
    </message>
    <message>
        <source>The small version of the Atari game Asterix, learned from its ten by ten planes.</source>
        <translation>Die kleine Fassung des Atari-Spiels Asterix, gelernt aus ihren Ebenen von zehn mal zehn.</translation>
    </message>
    <message>
        <source>MinAtar Breakout with PPO</source>
        <translation>MinAtar Breakout mit PPO</translation>
    </message>
    <message>
        <source>The small version of the Atari game Breakout, learned from its ten by ten planes.</source>
        <translation>Die kleine Fassung des Atari-Spiels Breakout, gelernt aus ihren Ebenen von zehn mal zehn.</translation>
    </message>
    <message>
        <source>MinAtar Breakout with V-trace</source>
        <translation>MinAtar Breakout mit V-trace</translation>
    </message>
    <message>
        <source>MinAtar Freeway with PPO</source>
        <translation>MinAtar Freeway mit PPO</translation>
    </message>
    <message>
        <source>The small version of the Atari game Freeway, learned from its ten by ten planes.</source>
        <translation>Die kleine Fassung des Atari-Spiels Freeway, gelernt aus ihren Ebenen von zehn mal zehn.</translation>
    </message>
    <message>
        <source>MinAtar Seaquest with PPO</source>
        <translation>MinAtar Seaquest mit PPO</translation>
    </message>
    <message>
        <source>MinAtar Space Invaders with PPO</source>
        <translation>MinAtar Space Invaders mit PPO</translation>
    </message>
    <message>
        <source>The small version of the Atari game Space Invaders, learned from its ten by ten planes.</source>
        <translation>Die kleine Fassung des Atari-Spiels Space Invaders, gelernt aus ihren Ebenen von zehn mal zehn.</translation>
    </message>
    <message>
        <source>DoorKey 16x16 with PPO</source>
        <translation>DoorKey 16x16 mit PPO</translation>
    </message>
    <message>
        <source>DoorKey 5x5 with PPO</source>
        <translation>DoorKey 5x5 mit PPO</translation>
    </message>
    <message>
        <source>DoorKey 6x6 with PPO</source>
        <translation>DoorKey 6x6 mit PPO</translation>
    </message>
    <message>
        <source>DoorKey 8x8 with PPO</source>
        <translation>DoorKey 8x8 mit PPO</translation>
    </message>
    <message>
        <source>Dynamic obstacles 5x5 with PPO</source>
        <translation>Bewegte Hindernisse 5x5 mit PPO</translation>
    </message>
    <message>
        <source>Empty room 16x16 with PPO</source>
        <translation>Leerer Raum 16x16 mit PPO</translation>
    </message>
    <message>
        <source>Empty room 5x5 with PPO</source>
        <translation>Leerer Raum 5x5 mit PPO</translation>
    </message>
    <message>
        <source>Empty room 6x6 with PPO</source>
        <translation>Leerer Raum 6x6 mit PPO</translation>
    </message>
    <message>
        <source>Empty room 8x8 with PPO</source>
        <translation>Leerer Raum 8x8 mit PPO</translation>
    </message>
    <message>
        <source>Empty room 5x5, random start, with PPO</source>
        <translation>Leerer Raum 5x5, zufälliger Start, mit PPO</translation>
    </message>
    <message>
        <source>Empty room 6x6, random start, with PPO</source>
        <translation>Leerer Raum 6x6, zufälliger Start, mit PPO</translation>
    </message>
    <message>
        <source>FourRooms with PPO</source>
        <translation>FourRooms mit PPO</translation>
    </message>
    <message>
        <source>Lava crossing S11N5 with PPO</source>
        <translation>Lava überqueren S11N5 mit PPO</translation>
    </message>
    <message>
        <source>Lava crossing S9N1 with PPO</source>
        <translation>Lava überqueren S9N1 mit PPO</translation>
    </message>
    <message>
        <source>Lava crossing S9N2 with PPO</source>
        <translation>Lava überqueren S9N2 mit PPO</translation>
    </message>
    <message>
        <source>Lava crossing S9N3 with PPO</source>
        <translation>Lava überqueren S9N3 mit PPO</translation>
    </message>
    <message>
        <source>Memory S11 with PPO and a GRU</source>
        <translation>Memory S11 mit PPO und einem GRU</translation>
    </message>
    <message>
        <source>Memory S13 with PPO and a GRU</source>
        <translation>Memory S13 mit PPO und einem GRU</translation>
    </message>
    <message>
        <source>Memory S7 with PPO and a GRU</source>
        <translation>Memory S7 mit PPO und einem GRU</translation>
    </message>
    <message>
        <source>Memory S9 with PPO and a GRU</source>
        <translation>Memory S9 mit PPO und einem GRU</translation>
    </message>
    <message>
        <source>MountainCar with PPO</source>
        <translation>MountainCar mit PPO</translation>
    </message>
    <message>
        <source>MountainCarContinuous with PPO</source>
        <translation>MountainCar, stetig, mit PPO</translation>
    </message>
    <message>
        <source>Pendulum with PPO</source>
        <translation>Pendel mit PPO</translation>
    </message>
    <message>
        <source>Pendulum without velocities, with PPO and a GRU</source>
        <translation>Pendel ohne Geschwindigkeiten, mit PPO und einem GRU</translation>
    </message>
    <message>
        <source>Pong in pixels with PPO</source>
        <translation>Pong in Pixeln mit PPO</translation>
    </message>
    <message>
        <source>RepeatFirst easy with PPO and a GRU</source>
        <translation>RepeatFirst, leicht, mit PPO und einem GRU</translation>
    </message>
    <message>
        <source>RepeatFirst hard with PPO and a GRU</source>
        <translation>RepeatFirst, schwer, mit PPO und einem GRU</translation>
    </message>
    <message>
        <source>RepeatFirst medium with PPO and a GRU</source>
        <translation>RepeatFirst, mittel, mit PPO und einem GRU</translation>
    </message>
    <message>
        <source>RepeatPrevious easy with PPO and an LSTM</source>
        <translation>RepeatPrevious, leicht, mit PPO und einem LSTM</translation>
    </message>
    <message>
        <source>A pure test of memory: name the suit of the card seen three cards ago.</source>
        <translation>Eine reine Gedächtnisprobe: Nenne die Farbe der Karte von vor drei Karten.</translation>
    </message>
    <message>
        <source>RepeatPrevious hard with PPO and an LSTM</source>
        <translation>RepeatPrevious, schwer, mit PPO und einem LSTM</translation>
    </message>
    <message>
        <source>RepeatPrevious medium with PPO and an LSTM</source>
        <translation>RepeatPrevious, mittel, mit PPO und einem LSTM</translation>
    </message>
    <message>
        <source>T-maze with PPO and a GRU</source>
        <translation>T-Labyrinth mit PPO und einem GRU</translation>
    </message>
    <message>
        <source>Toy memory with PPO and a GRU</source>
        <translation>Gedächtnisspiel mit PPO und einem GRU</translation>
    </message>
    <message>
        <source>A test problem whose optimal policy and values are known exactly.</source>
        <translation>Eine Prüfaufgabe, deren beste Policy und Werte genau bekannt sind.</translation>
    </message>
    <message>
        <source>Not counted, as a newer run with the same settings has the same seed: run %1.</source>
        <translation>Nicht gezählt, weil ein neuerer Lauf mit gleichen Einstellungen denselben Seed hat: Lauf %1.</translation>
    </message>
    <message>
        <source>Not counted, as a newer run with the same settings has the same seed: runs %1.</source>
        <translation>Nicht gezählt, weil neuere Läufe mit gleichen Einstellungen dieselben Seeds haben: Läufe %1.</translation>
    </message>
    <message>
        <source>better by %1 [%2, %3]</source>
        <translation>besser um %1 [%2; %3]</translation>
    </message>
    <message>
        <source>worse by %1 [%2, %3]</source>
        <translation>schlechter um %1 [%2; %3]</translation>
    </message>
    <message>
        <source>too few seeds to tell: %1 against %2 show only large differences; use at least %3 each</source>
        <translation>zu wenige Seeds für ein Urteil: %1 gegen %2 zeigen nur große Unterschiede, besser sind mindestens je %3</translation>
    </message>
    <message>
        <source>too few seeds to tell: %1 against %2 cannot show a difference; use at least %3 each</source>
        <translation>zu wenige Seeds für ein Urteil: %1 gegen %2 können keinen Unterschied zeigen, nötig sind mindestens je %3</translation>
    </message>
    <message>
        <source>not yet distinguishable; about %1 more seed</source>
        <translation>noch nicht unterscheidbar; etwa %1 weiterer Seed</translation>
    </message>
    <message>
        <source>not yet distinguishable; about %1 more seeds</source>
        <translation>noch nicht unterscheidbar; etwa %1 weitere Seeds</translation>
    </message>
    <message>
        <source>not distinguishable; more than %1 additional seeds would be needed to detect a difference of this size</source>
        <translation>nicht unterscheidbar; gibt es einen Unterschied dieser Größe, bräuchte es mehr als %1 weitere Seeds, um ihn zu zeigen</translation>
    </message>
    <message>
        <source>RL Baselines3 Zoo, PPO, Acrobot-v1 after 1,000,000 steps</source>
        <translation>RL Baselines3 Zoo, PPO, Acrobot-v1 nach 1.000.000 Schritten</translation>
    </message>
    <message>
        <source>RL Baselines3 Zoo, PPO, CartPole-v1 after 100,000 steps</source>
        <translation>RL Baselines3 Zoo, PPO, CartPole-v1 nach 100.000 Schritten</translation>
    </message>
    <message>
        <source>optimal return; RL Baselines3 Zoo, RecurrentPPO, CartPoleNoVel-v1 after 100,000 steps</source>
        <translation>bester möglicher Ertrag; RL Baselines3 Zoo, RecurrentPPO, CartPoleNoVel-v1 nach 100.000 Schritten</translation>
    </message>
    <message>
        <source>optimal return (Gymnasium, CartPole-v1)</source>
        <translation>bester möglicher Ertrag (Gymnasium, CartPole-v1)</translation>
    </message>
    <message>
        <source>optimal return (bsuite, Catch)</source>
        <translation>bester möglicher Ertrag (bsuite, Catch)</translation>
    </message>
    <message>
        <source>MinAtar's published DQN after 5,000,000 frames, 30 seeds (Young &amp; Tian 2019, repository)</source>
        <translation>Veröffentlichtes DQN von MinAtar nach 5.000.000 Bildern, 30 Seeds (Young &amp; Tian 2019, Repository)</translation>
    </message>
    <message>
        <source>RL Baselines3 Zoo, PPO, MiniGrid-DoorKey-5x5-v0 after 100,000 steps</source>
        <translation>RL Baselines3 Zoo, PPO, MiniGrid-DoorKey-5x5-v0 nach 100.000 Schritten</translation>
    </message>
    <message>
        <source>shortest path without a collision, scored by the reward formula of MiniGrid</source>
        <translation>der kürzeste Weg ohne Zusammenstoß, nach der Belohnungsformel von MiniGrid</translation>
    </message>
    <message>
        <source>shortest path, scored by the reward formula of MiniGrid</source>
        <translation>der kürzeste Weg, nach der Belohnungsformel von MiniGrid</translation>
    </message>
    <message>
        <source>RL Baselines3 Zoo, PPO, MiniGrid-Empty-Random-5x5-v0 after 100,000 steps</source>
        <translation>RL Baselines3 Zoo, PPO, MiniGrid-Empty-Random-5x5-v0 nach 100.000 Schritten</translation>
    </message>
    <message>
        <source>RL Baselines3 Zoo, PPO, MiniGrid-FourRooms-v0 after 5,000,000 steps</source>
        <translation>RL Baselines3 Zoo, PPO, MiniGrid-FourRooms-v0 nach 5.000.000 Schritten</translation>
    </message>
    <message>
        <source>RL Baselines3 Zoo, PPO, MountainCar-v0 after 1,000,000 steps</source>
        <translation>RL Baselines3 Zoo, PPO, MountainCar-v0 nach 1.000.000 Schritten</translation>
    </message>
    <message>
        <source>RL Baselines3 Zoo, PPO with state-dependent exploration, MountainCarContinuous-v0 after 20,000 steps</source>
        <translation>RL Baselines3 Zoo, PPO mit zustandsabhängigem Erkunden, MountainCarContinuous-v0 nach 20.000 Schritten</translation>
    </message>
    <message>
        <source>RL Baselines3 Zoo, PPO with state-dependent exploration, Pendulum-v1 after 100,000 steps</source>
        <translation>RL Baselines3 Zoo, PPO mit zustandsabhängigem Erkunden, Pendulum-v1 nach 100.000 Schritten</translation>
    </message>
    <message>
        <source>RL Baselines3 Zoo, PPO with all observations, Pendulum-v1 after 100,000 steps</source>
        <translation>RL Baselines3 Zoo, PPO mit allen Beobachtungen, Pendulum-v1 nach 100.000 Schritten</translation>
    </message>
    <message>
        <source>every point won</source>
        <translation>jeder Punkt gewonnen</translation>
    </message>
    <message>
        <source>optimal return (POPGym, RepeatPreviousEasy)</source>
        <translation>bester möglicher Ertrag (POPGym, RepeatPreviousEasy)</translation>
    </message>
    <message>
        <source>optimal return</source>
        <translation>bester möglicher Ertrag</translation>
    </message>
    <message>
        <source>ONNX: game engines, Python, browsers</source>
        <translation>ONNX: Spiele-Engines, Python, Browser</translation>
    </message>
    <message>
        <source>One file that onnxruntime, Unity and Godot run.</source>
        <translation>Eine Datei, die onnxruntime, Unity und Godot ausführen.</translation>
    </message>
    <message>
        <source>Names of the inputs and outputs</source>
        <translation>Namen der Ein- und Ausgänge</translation>
    </message>
    <message>
        <source>Names and shapes of the ONNX inputs and outputs</source>
        <translation>Namen und Formen der ONNX-Ein- und -Ausgänge</translation>
    </message>
    <message>
        <source>plain</source>
        <translation>einfach</translation>
    </message>
    <message>
        <source>Unity ML-Agents</source>
        <translation>Unity ML-Agents</translation>
    </message>
    <message>
        <source>Godot RL Agents</source>
        <translation>Godot RL Agents</translation>
    </message>
    <message>
        <source>Value estimate as an additional output</source>
        <translation>Geschätzter Wert als weiterer Ausgang</translation>
    </message>
    <message>
        <source>Licence of the weights</source>
        <translation>Lizenz der Gewichte</translation>
    </message>
    <message>
        <source>Licence of the weights: an identifier of the Hugging Face Hub, such as apache-2.0</source>
        <translation>Lizenz der Gewichte: eine Kennung des Hugging Face Hub wie apache-2.0</translation>
    </message>
    <message>
        <source>Replay as an animated picture, and a thumbnail</source>
        <translation>Wiederholung als bewegtes Bild und ein Vorschaubild</translation>
    </message>
    <message>
        <source>Do not write replay.gif and thumbnail.png</source>
        <translation>replay.gif und thumbnail.png nicht schreiben</translation>
    </message>
    <message>
        <source>Plain weights with a description of the network, and a Python program that runs them.</source>
        <translation>Die Gewichte mit einer Beschreibung des Netzes und ein Python-Programm, das sie ausführt.</translation>
    </message>
    <message>
        <source>C header: microcontrollers and programs without libraries</source>
        <translation>C-Header: Mikrocontroller und Programme ohne Bibliotheken</translation>
    </message>
    <message>
        <source>One C99 file that allocates no memory and needs only math.h.</source>
        <translation>Eine C99-Datei, die keinen Speicher anfordert und nur math.h braucht.</translation>
    </message>
    <message>
        <source>Prefix of the names</source>
        <translation>Vorsilbe der Namen</translation>
    </message>
    <message>
        <source>Prefix of all names in the C header</source>
        <translation>Vorsilbe aller Namen im C-Header</translation>
    </message>
    <message>
        <source>Its runs have trained for different numbers of steps: scores from step %1 to step %2.</source>
        <translation>Ihre Läufe haben verschieden viele Schritte trainiert: Werte von Schritt %1 bis Schritt %2.</translation>
    </message>
    <message>
        <source>Still running: run %1.</source>
        <translation>Läuft noch: Lauf %1.</translation>
    </message>
    <message>
        <source>Still running: runs %1.</source>
        <translation>Laufen noch: Läufe %1.</translation>
    </message>
    <message>
        <source>different numbers of steps: scores from step %1 to step %2</source>
        <translation>verschieden viele Schritte: Werte von Schritt %1 bis Schritt %2</translation>
    </message>
    <message>
        <source>Flip one bit at a time until all match the goal, and keep them matched.</source>
        <translation>Kippe je Schritt ein Bit, bis alle mit dem Ziel übereinstimmen, und halte sie so.</translation>
    </message>
    <message>
        <source>Keep a pole upright on a cart without observing velocities.</source>
        <translation>Balanciere einen Stab auf einem Wagen, ohne Geschwindigkeiten zu beobachten.</translation>
    </message>
    <message>
        <source>Dive to the treasure in the far corner although every step towards it has a small cost.</source>
        <translation>Tauche zum Schatz in der fernen Ecke, obwohl jeder Schritt dorthin ein wenig kostet.</translation>
    </message>
    <message>
        <source>Remember bits that are shown only at the start, and report the queried one at the end.</source>
        <translation>Merke dir Bits, die nur am Anfang gezeigt werden, und nenne am Ende das gefragte.</translation>
    </message>
    <message>
        <source>Lead the chicken across the road as often as possible.</source>
        <translation>Führe das Huhn so oft wie möglich über die Straße.</translation>
    </message>
    <message>
        <source>Swing a pendulum up and hold it upright without observing its velocity.</source>
        <translation>Schwinge ein Pendel auf und halte es aufrecht, ohne seine Geschwindigkeit zu beobachten.</translation>
    </message>
    <message>
        <source>Pay one to become rich, then resist taking the big prize that makes the agent poor again.</source>
        <translation>Zahle eins, um reich zu werden, und widerstehe dann dem großen Gewinn, der dich wieder arm macht.</translation>
    </message>
    <message>
        <source>Probability that the previous action is executed again.</source>
        <translation>Wahrscheinlichkeit, dass die vorige Aktion noch einmal ausgeführt wird.</translation>
    </message>
    <message>
        <source>Maximum number of no-ops (action 0) after a reset; 0 disables them.</source>
        <translation>Höchstzahl der No-ops (Aktion 0) nach einem Reset; 0 schaltet sie ab.</translation>
    </message>
    <message>
        <source>Clips rewards for the learner to plus and minus this value; 0: no limit. Reported returns are not clipped.</source>
        <translation>Begrenzt Belohnungen für den Lerner auf den Bereich von minus bis plus diesem Wert; 0: keine Grenze. Gemeldete Erträge werden nicht begrenzt.</translation>
    </message>
    <message>
        <source>Factor applied to the learner's (clipped) rewards. Reported returns are not scaled.</source>
        <translation>Faktor für die (begrenzten) Belohnungen des Lerners. Gemeldete Erträge werden nicht skaliert.</translation>
    </message>
    <message>
        <source>Decisions after which an episode is truncated; -1: the environment's limit, 0: no limit.</source>
        <translation>Nach so vielen Entscheidungen wird eine Episode abgebrochen; -1: Grenze der Umgebung, 0: keine Grenze.</translation>
    </message>
    <message>
        <source>the environment's limit</source>
        <translation>Grenze der Umgebung</translation>
    </message>
    <message>
        <source>Optimiser steps per epoch: the data are divided into this many random parts.</source>
        <translation>Schritte des Optimierers je Epoche: Die Daten werden in so viele zufällige Teile geteilt.</translation>
    </message>
    <message>
        <source>Decay of generalised advantage estimation; 1 sums all rewards, 0 relies on the value estimate.</source>
        <translation>Abnahme der Vorteilsschätzung (GAE); 1 summiert alle Belohnungen, 0 verlässt sich auf den geschätzten Wert.</translation>
    </message>
    <message>
        <source>Initial step size of the optimiser.</source>
        <translation>Schrittweite des Optimierers am Anfang.</translation>
    </message>
    <message>
        <source>Schedule of the learning rate: constant, linear over lr_horizon, or adapted so that each update changes the policy by about desired_kl.</source>
        <translation>Verlauf der Lernrate: konstant, linear über lr_horizon oder so angepasst, dass jeder Lernschritt die Policy um etwa desired_kl ändert.</translation>
    </message>
    <message>
        <source>Length of linear schedules, independent of when the run stops.</source>
        <translation>Länge linearer Verläufe, unabhängig davon, wann der Lauf endet.</translation>
    </message>
    <message>
        <source>Target change of the policy per update for the schedule kl_adaptive.</source>
        <translation>Angestrebte Änderung der Policy je Lernschritt beim Verlauf kl_adaptive.</translation>
    </message>
    <message>
        <source>Maximum deviation of the probability ratio from 1; beyond it the gradient is zero.</source>
        <translation>Größte Abweichung des Wahrscheinlichkeitsverhältnisses von 1; jenseits davon ist der Gradient null.</translation>
    </message>
    <message>
        <source>Whether clip is constant or decreases linearly to 0 over lr_horizon.</source>
        <translation>Ob clip konstant bleibt oder über lr_horizon linear auf 0 sinkt.</translation>
    </message>
    <message>
        <source>Weight of the policy's entropy, which maintains exploration.</source>
        <translation>Gewicht der Entropie der Policy, die das Erkunden in Gang hält.</translation>
    </message>
    <message>
        <source>Whether entropy_cost is constant or decreases linearly to 0 over lr_horizon.</source>
        <translation>Ob entropy_cost konstant bleibt oder über lr_horizon linear auf 0 sinkt.</translation>
    </message>
    <message>
        <source>Normalise the advantages of each minibatch to mean 0 and standard deviation 1.</source>
        <translation>Normiert die Advantages jedes Minibatches auf Mittel 0 und Standardabweichung 1.</translation>
    </message>
    <message>
        <source>Ends an update early when the divergence from the behaviour policy exceeds 1.5 times this value; 0 disables it.</source>
        <translation>Beendet einen Lernschritt vorzeitig, wenn die Divergenz von der Verhaltens-Policy das 1,5-Fache dieses Werts übersteigt; 0 schaltet das ab.</translation>
    </message>
    <message>
        <source>columns: minibatches of whole environment columns; auto: of single rows unless the network has memory.</source>
        <translation>columns: Minibatches aus ganzen Spalten von Umgebungen; auto: aus einzelnen Zeilen, sofern das Netz kein Gedächtnis hat.</translation>
    </message>
    <message>
        <source>V-trace: upper limit of the importance weights in the targets.</source>
        <translation>V-trace: Obergrenze der Importance-Gewichte in den Zielwerten.</translation>
    </message>
    <message>
        <source>V-trace: upper limit of the importance weights in the traces.</source>
        <translation>V-trace: Obergrenze der Importance-Gewichte in den Traces.</translation>
    </message>
    <message>
        <source>Encoder of observations; auto chooses by kind and size of the observation.</source>
        <translation>Encoder der Beobachtungen; auto wählt nach Art und Größe der Beobachtung.</translation>
    </message>
    <message>
        <source>Pass the previous action to the recurrent core.</source>
        <translation>Gibt dem rekurrenten Kern auch die vorige Aktion.</translation>
    </message>
    <message>
        <source>Pass the previous reward to the recurrent core.</source>
        <translation>Gibt dem rekurrenten Kern auch die vorige Belohnung.</translation>
    </message>
    <message>
        <source>Give the value estimate a separate network instead of sharing the policy's.</source>
        <translation>Ein eigenes Netz für den geschätzten Wert, statt das der Policy mitzubenutzen.</translation>
    </message>
    <message>
        <source>Number of environments that are stepped in parallel.</source>
        <translation>Zahl der Umgebungen, die parallel laufen.</translation>
    </message>
    <message>
        <source>Number of groups that the environments are split into; one thread at a time steps a group. Affects the result; 0: chosen from num_envs.</source>
        <translation>Zahl der Gruppen, in die die Umgebungen geteilt werden; an einer Gruppe arbeitet immer nur ein Thread. Beeinflusst das Ergebnis; 0: nach num_envs gewählt.</translation>
    </message>
    <message>
        <source>chosen from num_envs</source>
        <translation>nach num_envs gewählt</translation>
    </message>
    <message>
        <source>Async schedule: how often the run restarts a group whose environment failed before it stops with an error.</source>
        <translation>Schedule async: wie oft der Lauf eine Gruppe mit ausgefallener Umgebung neu startet, bevor er mit einem Fehler endet.</translation>
    </message>
    <message>
        <source>A batch closes when this many rows are waiting; 0: half of all rows, so that the other half is stepped in the meantime.</source>
        <translation>Ein Batch schließt, sobald so viele Zeilen warten; 0: die Hälfte aller Zeilen, damit die andere Hälfte inzwischen Schritte ausführt.</translation>
    </message>
    <message>
        <source>half of all rows</source>
        <translation>die Hälfte aller Zeilen</translation>
    </message>
    <message>
        <source>only when it is full or all groups have arrived</source>
        <translation>erst, wenn er voll ist oder alle Gruppen da sind</translation>
    </message>
    <message>
        <source>Async schedule: an update starts when rollouts of this many columns are full; 0: all columns.</source>
        <translation>Schedule async: Ein Lernschritt beginnt, sobald Rollouts mit so vielen Spalten voll sind; 0: alle Spalten.</translation>
    </message>
    <message>
        <source>all columns</source>
        <translation>alle Spalten</translation>
    </message>
    <message>
        <source>Async schedule: rows whose actions came from parameters older than this many updates are not used for learning.</source>
        <translation>Schedule async: Aus Zeilen wird nicht gelernt, wenn ihre Aktionen von Parametern stammen, die um mehr als so viele Lernschritte veraltet sind.</translation>
    </message>
    <message>
        <source>Agent decisions between evaluations; 0: a tenth of run.horizon.</source>
        <translation>Entscheidungen der Agenten zwischen zwei Auswertungen; 0: ein Zehntel von run.horizon.</translation>
    </message>
    <message>
        <source>a tenth of run.horizon</source>
        <translation>ein Zehntel von run.horizon</translation>
    </message>
    <message>
        <source>Episodes per evaluation.</source>
        <translation>Episoden je Auswertung.</translation>
    </message>
    <message>
        <source>Episodes in the final evaluation; 0: none.</source>
        <translation>Episoden der Auswertung am Ende; 0: keine.</translation>
    </message>
    <message>
        <source>Take the most probable action instead of sampling.</source>
        <translation>Die wahrscheinlichste Aktion wählen, statt Aktionen zu ziehen.</translation>
    </message>
    <message>
        <source>Share of training time that checkpoints may use; the cheaper they are, the more often they are saved; 0: only every_s counts.</source>
        <translation>Anteil der Trainingszeit, den Speicherstände kosten dürfen; je billiger sie sind, desto öfter wird gesichert; 0: nur every_s zählt.</translation>
    </message>
    <message>
        <source>Agent decisions between checkpoints that are never removed (in the async schedule, without experience not yet used for learning); 0: none.</source>
        <translation>Entscheidungen der Agenten zwischen Speicherständen, die nie entfernt werden (beim Schedule async ohne Erfahrung, aus der noch nicht gelernt wurde); 0: keine.</translation>
    </message>
    <message>
        <source>Stop after the first update that reaches this many agent decisions; 0: no limit.</source>
        <translation>Ende nach dem ersten Lernschritt, der so viele Entscheidungen der Agenten erreicht; 0: keine Grenze.</translation>
    </message>
    <message>
        <source>Agent decisions over which ten evaluations are spread, no matter how early the run stops; 0: run.steps as set when the run started.</source>
        <translation>Entscheidungen der Agenten, auf die zehn Auswertungen verteilt werden, egal wie früh der Lauf endet; 0: run.steps, wie beim Start des Laufs eingestellt.</translation>
    </message>
    <message>
        <source>run.steps as set when the run started</source>
        <translation>run.steps bei Beginn des Laufs</translation>
    </message>
    <message>
        <source>Threads for rollouts and learning; does not change the result in the sync schedule; 0: one per core.</source>
        <translation>Threads für Rollouts und Lernen; beim Schedule sync ohne Einfluss auf das Ergebnis; 0: einer je Kern.</translation>
    </message>
    <message>
        <source>sync: all threads collect experience, then all threads learn; async: actors never wait for the learner.</source>
        <translation>sync: Erst sammeln alle Threads Erfahrung, dann lernen alle; async: Akteure warten nie auf den Lerner.</translation>
    </message>
    <message>
        <source>inline: each thread that steps environments runs the network; central: one thread per device runs it for all groups; auto: the faster one, measured on this machine.</source>
        <translation>inline: Jeder Thread, der Umgebungen ausführt, berechnet auch das Netz; central: Ein Thread je Gerät berechnet es für alle Gruppen; auto: was schneller ist, auf diesem Rechner gemessen.</translation>
    </message>
    <message>
        <source>Prevent the computer from suspending automatically during training, if the system supports it.</source>
        <translation>Lässt den Rechner während des Trainings nicht von selbst einschlafen, sofern das System das unterstützt.</translation>
    </message>
    <message>
        <source>Actors use parameters that are this many updates old, to test how an algorithm copes with old data. Affects the result.</source>
        <translation>Akteure benutzen Parameter, die um so viele Lernschritte veraltet sind; so lässt sich prüfen, wie ein Algorithmus mit alten Daten zurechtkommt. Beeinflusst das Ergebnis.</translation>
    </message>
    <message>
        <source>Decisions per episode.</source>
        <translation>Entscheidungen je Episode.</translation>
    </message>
    <message>
        <source>Observe only the two positions, so that memory is needed.</source>
        <translation>Nur die zwei Positionen beobachten, sodass Gedächtnis nötig ist.</translation>
    </message>
    <message>
        <source>Observe the board as a greyscale image of 84 x 84 pixels.</source>
        <translation>Das Brett als Graustufenbild aus 84 x 84 Pixeln beobachten.</translation>
    </message>
    <message>
        <source>Consecutive images that are passed to the network.</source>
        <translation>Aufeinanderfolgende Bilder, die das Netz zusammen bekommt.</translation>
    </message>
    <message>
        <source>The action that moves right differs from cell to cell.</source>
        <translation>Welche Aktion nach rechts führt, ist von Feld zu Feld verschieden.</translation>
    </message>
    <message>
        <source>Seed for the mapping of actions; the published problem uses 42.</source>
        <translation>Seed für die Zuordnung der Aktionen; die veröffentlichte Aufgabe benutzt 42.</translation>
    </message>
    <message>
        <source>Steps for which the context must be remembered.</source>
        <translation>So viele Schritte lang muss der Kontext gemerkt werden.</translation>
    </message>
    <message>
        <source>Bits of context, one of which is queried.</source>
        <translation>Bits des Kontexts, von denen eines abgefragt wird.</translation>
    </message>
    <message>
        <source>The game becomes faster over time.</source>
        <translation>Das Spiel wird mit der Zeit schneller.</translation>
    </message>
    <message>
        <source>exact: surfacing is free after a rescue of six divers, as in the original; fixed: it always costs a diver.</source>
        <translation>exact: Nach der Rettung von sechs Tauchern ist Auftauchen umsonst, wie im Original; fixed: Es kostet immer einen Taucher.</translation>
    </message>
    <message>
        <source>Width and height of the map, including walls.</source>
        <translation>Breite und Höhe der Karte einschließlich der Wände.</translation>
    </message>
    <message>
        <source>Number of moving balls; more than size / 2 + 1 count as size / 2.</source>
        <translation>Zahl der bewegten Bälle; mehr als size / 2 + 1 zählen als size / 2.</translation>
    </message>
    <message>
        <source>Start at a random position instead of the corner.</source>
        <translation>Start an einer zufälligen Stelle statt in der Ecke.</translation>
    </message>
    <message>
        <source>Width and height of the map, including walls; an even size is rounded up.</source>
        <translation>Breite und Höhe der Karte einschließlich der Wände; eine gerade Größe wird aufgerundet.</translation>
    </message>
    <message>
        <source>Maximum number of rivers of lava to cross.</source>
        <translation>Höchstzahl der Lavaströme, die zu überqueren sind.</translation>
    </message>
    <message>
        <source>The hallway has a random length instead of the full width.</source>
        <translation>Der Flur hat eine zufällige Länge statt der vollen Breite.</translation>
    </message>
    <message>
        <source>Gravity; the published problem uses 10.</source>
        <translation>Schwerkraft; die veröffentlichte Aufgabe benutzt 10.</translation>
    </message>
    <message>
        <source>Observe only the angle, so that memory is needed.</source>
        <translation>Nur den Winkel beobachten, sodass Gedächtnis nötig ist.</translation>
    </message>
    <message>
        <source>The right player: the second agent, or a script that follows the ball.</source>
        <translation>Der rechte Spieler: der zweite Agent oder ein Skript, das dem Ball folgt.</translation>
    </message>
    <message>
        <source>Positions and speeds as six numbers, or a greyscale image of 84 x 84 pixels.</source>
        <translation>Positionen und Geschwindigkeiten als sechs Zahlen oder ein Graustufenbild aus 84 x 84 Pixeln.</translation>
    </message>
    <message>
        <source>The episode ends when a player has this many points.</source>
        <translation>Die Episode endet, sobald ein Spieler so viele Punkte hat.</translation>
    </message>
    <message>
        <source>Decks of 52 cards in the pile; the pile determines the length of the episode.</source>
        <translation>Kartenspiele zu je 52 Karten im Stapel; der Stapel bestimmt die Länge der Episode.</translation>
    </message>
    <message>
        <source>Passes over the data of one update; each recomputes targets and ratios.</source>
        <translation>Durchgänge durch die Daten eines Lernschritts; jeder berechnet Zielwerte und Verhältnisse neu.</translation>
    </message>
    <message>
        <source>Optimiser steps per pass: the environments are divided into this many random parts.</source>
        <translation>Schritte des Optimierers je Durchgang: Die Umgebungen werden in so viele zufällige Teile geteilt.</translation>
    </message>
    <message>
        <source>Factor applied to the trace coefficients; 1 sums all rewards, 0 relies on the value estimate.</source>
        <translation>Faktor für die Trace-Koeffizienten; 1 summiert alle Belohnungen, 0 verlässt sich auf den geschätzten Wert.</translation>
    </message>
    <message>
        <source>Upper limit of the importance weights in the targets; determines which policy's value is learned.</source>
        <translation>Obergrenze der Importance-Gewichte in den Zielwerten; bestimmt, zu welcher Policy der gelernte Wert gehört.</translation>
    </message>
    <message>
        <source>Upper limit of the importance weights in the traces; determines how fast that value is learned.</source>
        <translation>Obergrenze der Importance-Gewichte in den Traces; bestimmt, wie schnell dieser Wert gelernt wird.</translation>
    </message>
    <message>
        <source>Upper limit of the importance weights in the policy gradient.</source>
        <translation>Obergrenze der Importance-Gewichte im Policy-Gradienten.</translation>
    </message>
    <message>
        <source>Whether the learning rate is constant or decreases linearly over lr_horizon.</source>
        <translation>Ob die Lernrate konstant bleibt oder über lr_horizon linear sinkt.</translation>
    </message>
    <message>
        <source>Length of the linear schedule, independent of when the run stops or resumes.</source>
        <translation>Länge des linearen Verlaufs, unabhängig davon, wann der Lauf stoppt oder fortgesetzt wird.</translation>
    </message>
    <message>
        <source>Weight of the policy's entropy, which maintains exploration; the initial value if it is learned.</source>
        <translation>Gewicht der Entropie der Policy, die das Erkunden in Gang hält; der Anfangswert, falls es gelernt wird.</translation>
    </message>
    <message>
        <source>Whether entropy_cost is fixed or learned to keep the entropy at target_entropy.</source>
        <translation>Ob entropy_cost fest ist oder so gelernt wird, dass die Entropie bei target_entropy bleibt.</translation>
    </message>
    <message>
        <source>Target entropy for entropy_control = target.</source>
        <translation>Angestrebte Entropie bei entropy_control = target.</translation>
    </message>
    <message>
        <source>Step size of the logarithm of the entropy cost, per nat of deviation from the target.</source>
        <translation>Schrittweite für den Logarithmus des Gewichts der Entropie, je Nat Abweichung vom Ziel.</translation>
    </message>
    <message>
        <source>Weight of the divergence from the behaviour policy.</source>
        <translation>Gewicht der Divergenz von der Verhaltens-Policy.</translation>
    </message>
    <message>
        <source>Whether the loss is the mean or, as in the paper, the sum over the rows of a minibatch; with the sum, gradient norm and epsilon of the optimiser refer to sums.</source>
        <translation>Ob der Verlust das Mittel oder, wie im Paper, die Summe über die Zeilen eines Minibatches ist; mit der Summe beziehen sich Gradientennorm und Epsilon des Optimierers auf Summen.</translation>
    </message>
    <message>
        <source>A swing-up task with a sparse reward, solved in under a minute.</source>
        <translation>Aufschwingen mit spärlicher Belohnung, in weniger als einer Minute gelöst.</translation>
    </message>
    <message>
        <source>A good first run on a new computer, solved in a fraction of a second.</source>
        <translation>Ein guter erster Lauf auf einem neuen Rechner, in Sekundenbruchteilen gelöst.</translation>
    </message>
    <message>
        <source>CartPole without velocities, with PPO and an LSTM</source>
        <translation>CartPole ohne Geschwindigkeiten, mit PPO und einem LSTM</translation>
    </message>
    <message>
        <source>A task that needs memory: velocities have to be inferred from previous positions.</source>
        <translation>Eine Aufgabe, die Gedächtnis braucht: Die Geschwindigkeiten sind aus früheren Positionen zu erschließen.</translation>
    </message>
    <message>
        <source>The quickest example of V-trace, whose actors never wait for the learner.</source>
        <translation>Das schnellste Beispiel für V-trace, dessen Akteure nie auf den Lerner warten.</translation>
    </message>
    <message>
        <source>CartPole with PPO, settings of RL Baselines3 Zoo</source>
        <translation>CartPole mit PPO, Einstellungen von RL Baselines3 Zoo</translation>
    </message>
    <message>
        <source>For comparison with RL Baselines3 Zoo: uses its settings unchanged.</source>
        <translation>Zum Vergleich mit RL Baselines3 Zoo, mit dessen unveränderten Einstellungen.</translation>
    </message>
    <message>
        <source>Catch a falling ball on a board of ten by five cells; learned in seconds.</source>
        <translation>Fange einen fallenden Ball auf einem Brett von zehn mal fünf Feldern; in Sekunden gelernt.</translation>
    </message>
    <message>
        <source>Catch as images of 84 by 84 pixels: the smallest task for a vision network.</source>
        <translation>Catch als Bilder aus 84 mal 84 Pixeln: die kleinste Aufgabe für ein Netz, das Bilder sieht.</translation>
    </message>
    <message>
        <source>Catch as images, with the algorithm and the smaller network of IMPALA; faster on a CPU.</source>
        <translation>Catch als Bilder, mit dem Algorithmus und dem kleineren Netz von IMPALA; schneller auf einer CPU.</translation>
    </message>
    <message>
        <source>DeepSea with moves that may fail and noisy final rewards.</source>
        <translation>DeepSea mit Zügen, die misslingen können, und verrauschten Belohnungen am Ende.</translation>
    </message>
    <message>
        <source>Remember one bit for ten steps; solved in seconds.</source>
        <translation>Merke dir zehn Schritte lang ein Bit; in Sekunden gelöst.</translation>
    </message>
    <message>
        <source>A small game with actors that never wait for the learner. PPO needs fewer frames.</source>
        <translation>Ein kleines Spiel mit Akteuren, die nie auf den Lerner warten. PPO braucht weniger Bilder.</translation>
    </message>
    <message>
        <source>The small version of the Atari game Seaquest, learned from its ten by ten planes. Learning to surface for air takes up to half of the steps.</source>
        <translation>Die kleine Fassung des Atari-Spiels Seaquest, gelernt aus ihren Ebenen von zehn mal zehn. Bis der Agent gelernt hat, zum Luftholen aufzutauchen, kann die Hälfte der Schritte vergehen.</translation>
    </message>
    <message>
        <source>A task in three stages: key, door, goal.</source>
        <translation>Eine Aufgabe in drei Stufen: Schlüssel, Tür, Ziel.</translation>
    </message>
    <message>
        <source>Like DoorKey 5x5, on a larger map.</source>
        <translation>Wie DoorKey 5x5, auf einer größeren Karte.</translation>
    </message>
    <message>
        <source>Moving balls; a collision costs more than not reaching the goal, so an entropy bonus maintains exploration.</source>
        <translation>Bewegte Bälle; ein Zusammenstoß kostet mehr, als das Ziel zu verfehlen, darum hält ein Entropiebonus das Erkunden in Gang.</translation>
    </message>
    <message>
        <source>Dynamic obstacles 5x5, random start, with PPO</source>
        <translation>Bewegte Hindernisse 5x5, zufälliger Start, mit PPO</translation>
    </message>
    <message>
        <source>Dynamic obstacles 6x6, random start, with PPO</source>
        <translation>Bewegte Hindernisse 6x6, zufälliger Start, mit PPO</translation>
    </message>
    <message>
        <source>The simplest MiniGrid task: no obstacles, and a reward at the goal only.</source>
        <translation>Die einfachste Aufgabe von MiniGrid: keine Hindernisse und eine Belohnung nur am Ziel.</translation>
    </message>
    <message>
        <source>Like the empty room, but with a random start.</source>
        <translation>Wie der leere Raum, aber mit zufälligem Start.</translation>
    </message>
    <message>
        <source>Exploration with a partial view. Improves slowly; RL Baselines3 Zoo trains for 5,000,000 steps.</source>
        <translation>Erkunden mit begrenzter Sicht. Wird nur langsam besser; RL Baselines3 Zoo trainiert 5.000.000 Schritte lang.</translation>
    </message>
    <message>
        <source>A starting point for experiments with memory: the agent reaches the end of the hallway and guesses, which gives a return of about one half.</source>
        <translation>Ein Ausgangspunkt für Versuche mit Gedächtnis: Der Agent erreicht das Ende des Flurs und rät; das ergibt einen Ertrag von etwa 0,5.</translation>
    </message>
    <message>
        <source>Memory S13, random length, with PPO and a GRU</source>
        <translation>Memory S13, zufällige Länge, mit PPO und einem GRU</translation>
    </message>
    <message>
        <source>Memory S17, random length, with PPO and a GRU</source>
        <translation>Memory S17, zufällige Länge, mit PPO und einem GRU</translation>
    </message>
    <message>
        <source>Exploration by momentum: the car must first drive away from the goal.</source>
        <translation>Erkunden mit Schwung: Der Wagen muss zuerst vom Ziel wegfahren.</translation>
    </message>
    <message>
        <source>Continuous actions with a penalty that makes standing still attractive.</source>
        <translation>Kontinuierliche Aktionen mit einer Strafe, die zum Stehenbleiben verlockt.</translation>
    </message>
    <message>
        <source>The smallest continuous control task: swing up and balance.</source>
        <translation>Die kleinste Regelaufgabe mit kontinuierlichen Aktionen: aufschwingen und balancieren.</translation>
    </message>
    <message>
        <source>A control task that needs memory: the velocity has to be inferred.</source>
        <translation>Eine Regelaufgabe, die Gedächtnis braucht: Die Geschwindigkeit ist zu erschließen.</translation>
    </message>
    <message>
        <source>Pong for two players, with PPO</source>
        <translation>Pong zu zweit, mit PPO</translation>
    </message>
    <message>
        <source>Pong against a scripted opponent, with PPO</source>
        <translation>Pong gegen einen Skriptspieler, mit PPO</translation>
    </message>
    <message>
        <source>A good first game; the first player with five points wins.</source>
        <translation>Ein gutes erstes Spiel; wer zuerst fünf Punkte hat, gewinnt.</translation>
    </message>
    <message>
        <source>every point won; random play scores -3.575</source>
        <translation>jeder Punkt gewonnen; zufälliges Spiel erreicht -3,575</translation>
    </message>
    <message>
        <source>The easiest memory task: remember one card for 51 decisions.</source>
        <translation>Die leichteste Gedächtnisaufgabe: Merke dir eine Karte 51 Entscheidungen lang.</translation>
    </message>
    <message>
        <source>Remember one card for 831 decisions, learned from windows of 64.</source>
        <translation>Merke dir eine Karte 831 Entscheidungen lang; gelernt wird aus Fenstern der Länge 64.</translation>
    </message>
    <message>
        <source>Remember one card for 415 decisions, learned from windows of 64.</source>
        <translation>Merke dir eine Karte 415 Entscheidungen lang; gelernt wird aus Fenstern der Länge 64.</translation>
    </message>
    <message>
        <source>Name the suit of the card seen 63 cards ago; needs more memory than these 128 units.</source>
        <translation>Nenne die Farbe der Karte von vor 63 Karten; das braucht mehr Gedächtnis als diese 128 Einheiten.</translation>
    </message>
    <message>
        <source>optimal return (POPGym, RepeatPreviousHard); random play scores -0.5</source>
        <translation>bester möglicher Ertrag (POPGym, RepeatPreviousHard); zufälliges Spiel erreicht -0,5</translation>
    </message>
    <message>
        <source>Name the suit of the card seen 31 cards ago: the memory must contain all cards in between. Five million steps reach a quarter of the optimum.</source>
        <translation>Nenne die Farbe der Karte von vor 31 Karten: Das Gedächtnis muss alle Karten dazwischen enthalten. Nach fünf Millionen Schritten ist ein Viertel des Optimums erreicht.</translation>
    </message>
    <message>
        <source>optimal return (POPGym, RepeatPreviousMedium); random play scores -0.5</source>
        <translation>bester möglicher Ertrag (POPGym, RepeatPreviousMedium); zufälliges Spiel erreicht -0,5</translation>
    </message>
    <message>
        <source>The classic memory test: a sign at the start of a corridor decides the turn at its end.</source>
        <translation>Die klassische Gedächtnisprobe: Ein Zeichen am Anfang eines Gangs sagt, wohin an seinem Ende abzubiegen ist.</translation>
    </message>
    <message>
        <source>Remember and repeat vectors; actions are real numbers.</source>
        <translation>Vektoren merken und wiederholen; die Aktionen sind reelle Zahlen.</translation>
    </message>
    <message>
        <source>Two-state problem with PPO</source>
        <translation>Zwei Zustände mit PPO</translation>
    </message>
    <message>
        <source>Activation function of the hidden layers.</source>
        <translation>Aktivierungsfunktion der verdeckten Schichten.</translation>
    </message>
    <message>
        <source>Initial logarithm of the standard deviation of continuous actions.</source>
        <translation>Logarithmus der Standardabweichung kontinuierlicher Aktionen am Anfang.</translation>
    </message>
    <message>
        <source>Adam: decay rate of the mean gradient (first moment).</source>
        <translation>Adam: Abklingrate des mittleren Gradienten (erstes Moment).</translation>
    </message>
    <message>
        <source>Adam: decay rate of the mean squared gradient (second moment).</source>
        <translation>Adam: Abklingrate des mittleren quadrierten Gradienten (zweites Moment).</translation>
    </message>
    <message>
        <source>RMSProp: decay rate of the mean squared gradient.</source>
        <translation>RMSProp: Abklingrate des mittleren quadrierten Gradienten.</translation>
    </message>
    <message>
        <source>RMSProp and SGD: momentum, the fraction of the last step that is kept.</source>
        <translation>RMSProp und SGD: Momentum, der Anteil des letzten Schritts, der erhalten bleibt.</translation>
    </message>
    <message>
        <source>Maximum norm of the gradient; larger gradients are scaled down to it; 0: no limit.</source>
        <translation>Größte Norm des Gradienten; größere Gradienten werden darauf verkleinert; 0: keine Grenze.</translation>
    </message>
    <message>
        <source>Async schedule: maximum number of open rollouts of a group (being filled, queued or used for learning); a group with this many waits.</source>
        <translation>Schedule async: Höchstzahl offener Rollouts einer Gruppe (die gefüllt werden, warten oder gerade dem Lernen dienen); hat eine Gruppe so viele, wartet sie.</translation>
    </message>
    <message>
        <source>A step of environments that takes longer than this counts as hung. Async schedule: the group is skipped until it returns. Sync schedule: the run saves its state and stops. Evaluations end without these environments.</source>
        <translation>Ein Schritt von Umgebungen, der länger dauert, gilt als hängen geblieben. Schedule async: Die Gruppe wird übersprungen, bis sie sich wieder meldet. Schedule sync: Der Lauf sichert seinen Stand und stoppt. Auswertungen enden ohne diese Umgebungen.</translation>
    </message>
    <message>
        <source>A batch closes this long after its first group arrived; 0: immediately; -1: only when it is full or all groups have arrived.</source>
        <translation>Ein Batch schließt so lange nach dem Eintreffen seiner ersten Gruppe; 0: sofort; -1: erst, wenn er voll ist oder alle Gruppen da sind.</translation>
    </message>
    <message>
        <source>immediately</source>
        <translation>sofort</translation>
    </message>
    <message>
        <source>Maximum steps</source>
        <translation>Größte Schrittzahl</translation>
    </message>
    <message>
        <source>Agent decisions after which an episode of an evaluation is cut short. Episodes that were cut short are reported and do not count.</source>
        <translation>Nach so vielen Entscheidungen der Agenten wird eine Episode einer Auswertung abgebrochen. Abgebrochene Episoden werden gemeldet und zählen nicht.</translation>
    </message>
    <message>
        <source>Maximum total steps</source>
        <translation>Größte Schrittzahl insgesamt</translation>
    </message>
    <message>
        <source>Agent decisions in a whole evaluation, shared equally by its environments.</source>
        <translation>Entscheidungen der Agenten in einer ganzen Auswertung, gleichmäßig auf ihre Umgebungen verteilt.</translation>
    </message>
    <message>
        <source>Maximum seconds</source>
        <translation>Höchstdauer in Sekunden</translation>
    </message>
    <message>
        <source>Time after which an evaluation ends with the episodes that are complete.</source>
        <translation>Nach dieser Zeit endet eine Auswertung mit den Episoden, die bis dahin vollständig sind.</translation>
    </message>
    <message>
        <source>Maximum time between checkpoints.</source>
        <translation>Längste Zeit zwischen zwei Speicherständen.</translation>
    </message>
    <message>
        <source>Seed for all of the run's random numbers: a whole number from 0 to 9,223,372,036,854,775,807.</source>
        <translation>Seed aller Zufallszahlen des Laufs: eine ganze Zahl von 0 bis 9.223.372.036.854.775.807.</translation>
    </message>
    <message>
        <source>Offer only the actions that have an effect in this game (version 1 of the original), not all six (version 0).</source>
        <translation>Nur die Aktionen anbieten, die in diesem Spiel etwas bewirken (Version 1 des Originals), nicht alle sechs (Version 0).</translation>
    </message>
    <message>
        <source>Probability that the previously executed action is executed again, even across episodes.</source>
        <translation>Wahrscheinlichkeit, dass die zuletzt ausgeführte Aktion noch einmal ausgeführt wird, auch über Episoden hinweg.</translation>
    </message>
    <message>
        <source>Number k of cards to remember; less than the number of cards.</source>
        <translation>Anzahl k der Karten, die zu merken sind; kleiner als die Zahl aller Karten.</translation>
    </message>
    <message>
        <source>A small exploration task: with an entropy bonus, random exploration finds the treasure at size 10.</source>
        <translation>Eine kleine Aufgabe zum Erkunden: Mit einem Entropiebonus findet zufälliges Erkunden den Schatz bei Größe 10.</translation>
    </message>
    <message>
        <source>A starting point for experiments: random exploration does not find the goal on this large map, and PPO does not solve it.</source>
        <translation>Ein Ausgangspunkt für Versuche: Zufälliges Erkunden findet das Ziel auf dieser großen Karte nicht, und PPO löst die Aufgabe nicht.</translation>
    </message>
    <message>
        <source>Pong as images of 84 by 84 pixels, against a script that follows the ball: a starting point for experiments. After a million steps, a few minutes on two cores, the agent is hardly better than random play; the game needs many more steps.</source>
        <translation>Pong als Bilder aus 84 mal 84 Pixeln, gegen ein Skript, das dem Ball folgt: ein Ausgangspunkt für Versuche. Nach einer Million Schritten, wenigen Minuten auf zwei Kernen, ist der Agent kaum besser als zufälliges Spiel; er braucht viel mehr Schritte.</translation>
    </message>
    <message>
        <source>Omit the value estimate, which is not needed to act</source>
        <translation>Den geschätzten Wert weglassen; zum Handeln wird er nicht gebraucht</translation>
    </message>
    <message>
        <source>safetensors: other training programs, and import into Seedbed</source>
        <translation>safetensors: andere Trainingsprogramme und der Import in Seedbed</translation>
    </message>
    <message>
        <source>a different task from the baseline's: returns of different environments, or of greedy and sampled episodes, are not compared</source>
        <translation>eine andere Aufgabe als die des Maßstabs: Erträge verschiedener Umgebungen oder von Greedy- und gezogenen Episoden werden nicht verglichen</translation>
    </message>
    <message>
        <source>HalfCheetah with PPO</source>
        <translation>HalfCheetah mit PPO</translation>
    </message>
    <message>
        <source>Continuous control with MuJoCo: a two-legged robot learns to run. Needs the pack mujoco.</source>
        <translation>Kontinuierliche Regelung mit MuJoCo: Ein zweibeiniger Roboter lernt zu rennen. Braucht das Paket mujoco.</translation>
    </message>
    <message>
        <source>RL Baselines3 Zoo, PPO, HalfCheetah-v3 after 1,000,000 steps; the score is 90 % of it</source>
        <translation>RL Baselines3 Zoo, PPO, HalfCheetah-v3 nach 1.000.000 Schritten; der Wert ist 90 % davon</translation>
    </message>
    <message>
        <source>Hopper with PPO</source>
        <translation>Hopper mit PPO</translation>
    </message>
    <message>
        <source>Continuous control with MuJoCo: a one-legged robot learns to hop. Needs the pack mujoco.</source>
        <translation>Kontinuierliche Regelung mit MuJoCo: Ein einbeiniger Roboter lernt zu hüpfen. Braucht das Paket mujoco.</translation>
    </message>
    <message>
        <source>RL Baselines3 Zoo, PPO, Hopper-v3 after 1,000,000 steps; the score is 90 % of it</source>
        <translation>RL Baselines3 Zoo, PPO, Hopper-v3 nach 1.000.000 Schritten; der Wert ist 90 % davon</translation>
    </message>
    <message>
        <source>Atari games</source>
        <translation>Atari-Spiele</translation>
    </message>
    <message>
        <source>The Arcade Learning Environment: 57 Atari 2600 games of the usual benchmark and 51 more, with ROMs.</source>
        <translation>Die Arcade Learning Environment: 57 Atari-2600-Spiele des üblichen Vergleichs und 51 weitere, mit ROMs.</translation>
    </message>
    <message>
        <source>DeepMind Control Suite</source>
        <translation>DeepMind Control Suite</translation>
    </message>
    <message>
        <source>Physics tasks of the DeepMind Control Suite: cheetah run, walker walk, humanoid run and others. Pictures need EGL.</source>
        <translation>Physikaufgaben der DeepMind Control Suite: cheetah run, walker walk, humanoid run und andere. Bilder brauchen EGL.</translation>
    </message>
    <message>
        <source>DeepMind Lab</source>
        <translation>DeepMind Lab</translation>
    </message>
    <message>
        <source>First-person 3D tasks of DeepMind Lab, such as DMLab-30. You have to build DeepMind Lab yourself.</source>
        <translation>3D-Aufgaben aus der Ich-Perspektive von DeepMind Lab, etwa DMLab-30, mit einem selbst gebauten DeepMind Lab.</translation>
    </message>
    <message>
        <source>DeepMind Lab is not on PyPI: build it (its docs/users/build.md), install its Python package 'deepmind_lab' into a virtual environment, and name that Python: seedbed pack install dmlab --python FOLDER/bin/python</source>
        <translation>DeepMind Lab ist nicht auf PyPI: Baue es (siehe seine Datei docs/users/build.md), installiere sein Python-Paket 'deepmind_lab' in eine virtuelle Umgebung und nenne deren Python: seedbed pack install dmlab --python ORDNER/bin/python</translation>
    </message>
    <message>
        <source>Google Research Football</source>
        <translation>Google Research Football</translation>
    </message>
    <message>
        <source>Football through EnvPool, which contains the engine: academy scenarios and games of 11 v 11.</source>
        <translation>Fußball über EnvPool, das die Spielumgebung enthält: Übungsszenarien und Spiele 11 gegen 11.</translation>
    </message>
    <message>
        <source>Gymnasium with Box2D</source>
        <translation>Gymnasium mit Box2D</translation>
    </message>
    <message>
        <source>The environments of Gymnasium: classic control, Box2D (LunarLander, BipedalWalker, CarRacing) and toy text. Also runs your own Gymnasium environments.</source>
        <translation>Die Umgebungen von Gymnasium: klassische Regelung, Box2D (LunarLander, BipedalWalker, CarRacing) und Textspiele. Führt auch eigene Gymnasium-Umgebungen aus.</translation>
    </message>
    <message>
        <source>MiniGrid and BabyAI</source>
        <translation>MiniGrid und BabyAI</translation>
    </message>
    <message>
        <source>Grid worlds with goals, keys and doors (MiniGrid) and with instructions in words (BabyAI).</source>
        <translation>Gitterwelten mit Zielen, Schlüsseln und Türen (MiniGrid) und mit Anweisungen in Worten (BabyAI).</translation>
    </message>
    <message>
        <source>MuJoCo</source>
        <translation>MuJoCo</translation>
    </message>
    <message>
        <source>Gymnasium's MuJoCo environments: HalfCheetah, Hopper, Walker2d, Ant, Humanoid and others (versions 4 and 5). Pictures need EGL.</source>
        <translation>Die MuJoCo-Umgebungen von Gymnasium: HalfCheetah, Hopper, Walker2d, Ant, Humanoid und andere (Versionen 4 und 5). Bilder brauchen EGL.</translation>
    </message>
    <message>
        <source>NetHack Learning Environment</source>
        <translation>NetHack Learning Environment</translation>
    </message>
    <message>
        <source>The dungeon game NetHack: score, staircase, eat and other tasks.</source>
        <translation>Das Rollenspiel NetHack: Punkte, Treppe, Essen und andere Aufgaben.</translation>
    </message>
    <message>
        <source>PettingZoo</source>
        <translation>PettingZoo</translation>
    </message>
    <message>
        <source>Environments with several agents: board games (chess, Connect Four, Go), cooperation, pursuit. The card games that need rlcard are missing, because it has no wheels.</source>
        <translation>Umgebungen mit mehreren Agenten: Brettspiele (Schach, Vier gewinnt, Go), Zusammenarbeit, Verfolgung. Die Kartenspiele, die rlcard brauchen, fehlen, weil es davon keine Wheels gibt.</translation>
    </message>
    <message>
        <source>POPGym</source>
        <translation>POPGym</translation>
    </message>
    <message>
        <source>Small tasks that need memory: repeat previous, autoencode, battleship and others.</source>
        <translation>Kleine Aufgaben, die Gedächtnis brauchen: repeat previous, autoencode, battleship und andere.</translation>
    </message>
    <message>
        <source>Procgen</source>
        <translation>Procgen</translation>
    </message>
    <message>
        <source>Sixteen games whose levels are generated, to measure how well agents generalise: CoinRun, StarPilot, BigFish and others.</source>
        <translation>Sechzehn Spiele mit erzeugten Ebenen, um zu messen, wie gut Agenten verallgemeinern: CoinRun, StarPilot, BigFish und andere.</translation>
    </message>
    <message>
        <source>Connects to games built with Unity ML-Agents (release 0.28 of its Python package).</source>
        <translation>Verbindet mit Spielen, die mit Unity ML-Agents gebaut sind (Version 0.28 des Python-Pakets).</translation>
    </message>
    <message>
        <source>ViZDoom</source>
        <translation>ViZDoom</translation>
    </message>
    <message>
        <source>First-person tasks on the Doom engine: basic, health gathering, defend the center, deathmatch and others.</source>
        <translation>Aufgaben aus der Ich-Perspektive in Doom: basic, health gathering, defend the center, deathmatch und andere.</translation>
    </message>
    <message>
        <source>Signals reach no other processes.</source>
        <translation>Signale erreichen keine anderen Prozesse.</translation>
    </message>
    <message>
        <source>System calls such as ptrace and mount are refused.</source>
        <translation>Systemaufrufe wie ptrace und mount werden abgewiesen.</translation>
    </message>
    <message>
        <source>Programs cannot gain privileges.</source>
        <translation>Programme können keine Rechte erlangen.</translation>
    </message>
    <message>
        <source>The number of open files and the size of files are limited.</source>
        <translation>Die Zahl offener Dateien und die Größe von Dateien sind begrenzt.</translation>
    </message>
    <message>
        <source>The number of processes is limited.</source>
        <translation>Die Zahl der Prozesse ist begrenzt.</translation>
    </message>
    <message>
        <source>Threads that step environments in the async schedule; 0: same as run.threads, but at least one per group for environments in other processes.</source>
        <translation>Threads, die beim Schedule async Umgebungen ausführen; 0: wie run.threads, aber mindestens einer je Gruppe, wenn Umgebungen in anderen Prozessen laufen.</translation>
    </message>
    <message>
        <source>Breakout with PPO, settings of CleanRL</source>
        <translation>Breakout mit PPO, Einstellungen von CleanRL</translation>
    </message>
    <message>
        <source>The Atari game Breakout with the preprocessing, network and settings of CleanRL and RL Baselines3 Zoo: 84 x 84 grey pixels, a life is an episode of the learner, rewards are clipped. Needs the pack atari.</source>
        <translation>Das Atari-Spiel Breakout mit Vorverarbeitung, Netz und Einstellungen von CleanRL und RL Baselines3 Zoo: 84 x 84 graue Pixel, ein Leben ist für den Lerner eine Episode, Belohnungen werden begrenzt. Braucht das Paket atari.</translation>
    </message>
    <message>
        <source>not yet measured; CleanRL, ppo_atari, 414.7 +- 28.1 after 10,000,000 steps</source>
        <translation>noch nicht gemessen; CleanRL, ppo_atari, 414,7 +- 28,1 nach 10.000.000 Schritten</translation>
    </message>
    <message>
        <source>Pong with PPO, settings of CleanRL</source>
        <translation>Pong mit PPO, Einstellungen von CleanRL</translation>
    </message>
    <message>
        <source>The Atari game Pong with the preprocessing, network and settings of CleanRL and RL Baselines3 Zoo: 84 x 84 grey pixels, a life is an episode of the learner, rewards are clipped. Needs the pack atari.</source>
        <translation>Das Atari-Spiel Pong mit Vorverarbeitung, Netz und Einstellungen von CleanRL und RL Baselines3 Zoo: 84 x 84 graue Pixel, ein Leben ist für den Lerner eine Episode, Belohnungen werden begrenzt. Braucht das Paket atari.</translation>
    </message>
    <message>
        <source>not yet measured; CleanRL, ppo_atari, 20.36 +- 0.20 after 10,000,000 steps</source>
        <translation>noch nicht gemessen; CleanRL, ppo_atari, 20,36 +- 0,20 nach 10.000.000 Schritten</translation>
    </message>
    <message>
        <source>Empty goal with PPO</source>
        <translation>Leeres Tor mit PPO</translation>
    </message>
    <message>
        <source>Empty goal at close range with PPO</source>
        <translation>Leeres Tor aus der Nähe mit PPO</translation>
    </message>
    <message>
        <source>LunarLander with PPO</source>
        <translation>LunarLander mit PPO</translation>
    </message>
    <message>
        <source>A lander with three engines, from Gymnasium's Box2D environments; settings of RL Baselines3 Zoo. Needs the pack gymnasium.</source>
        <translation>Eine Landefähre mit drei Triebwerken, aus den Box2D-Umgebungen von Gymnasium; Einstellungen von RL Baselines3 Zoo. Braucht das Paket gymnasium.</translation>
    </message>
    <message>
        <source>Walker2d with PPO</source>
        <translation>Walker2d mit PPO</translation>
    </message>
    <message>
        <source>Continuous control with MuJoCo: a two-legged robot learns to walk. Needs the pack mujoco.</source>
        <translation>Kontinuierliche Regelung mit MuJoCo: Ein zweibeiniger Roboter lernt zu gehen. Braucht das Paket mujoco.</translation>
    </message>
    <message>
        <source>RL Baselines3 Zoo, PPO, Walker2d-v3 after 1,000,000 steps; the score is 90 % of it</source>
        <translation>RL Baselines3 Zoo, PPO, Walker2d-v3 nach 1.000.000 Schritten; der Wert ist 90 % davon</translation>
    </message>
    <message>
        <source>CoinRun with PPO</source>
        <translation>CoinRun mit PPO</translation>
    </message>
    <message>
        <source>A platform game with new levels in every episode (easy mode, all levels): tests generalisation. Network and settings of the Procgen paper. Needs the pack procgen.</source>
        <translation>Ein Plattformspiel mit neuen Levels in jeder Episode (leichter Modus, alle Levels): prüft, wie gut der Agent verallgemeinert. Netz und Einstellungen aus dem Procgen-Paper. Braucht das Paket procgen.</translation>
    </message>
    <message>
        <source>not yet measured; OpenAI, train-procgen, test levels of the easy mode with 200 training levels, 8.73 after 25,000,000 steps</source>
        <translation>noch nicht gemessen; OpenAI, train-procgen, Testlevels des leichten Modus bei 200 Trainingslevels, 8,73 nach 25.000.000 Schritten</translation>
    </message>
    <message>
        <source>ViZDoom's basic scenario with asynchronous PPO, settings of Sample Factory</source>
        <translation>ViZDooms Szenario basic mit asynchronem PPO, Einstellungen von Sample Factory</translation>
    </message>
    <message>
        <source>Defend the center with asynchronous PPO, settings of Sample Factory</source>
        <translation>Defend the center mit asynchronem PPO, Einstellungen von Sample Factory</translation>
    </message>
    <message>
        <source>Turn and shoot monsters that come from all sides, in ViZDoom, with 26 bullets. Actions, rewards and preprocessing are those of Sample Factory 2. Needs the pack vizdoom.</source>
        <translation>Drehe dich und schieße in ViZDoom mit 26 Kugeln auf Monster, die von allen Seiten kommen. Aktionen, Belohnungen und Vorverarbeitung wie in Sample Factory 2. Braucht das Paket vizdoom.</translation>
    </message>
    <message>
        <source>not yet measured; bound of the scenario: 26 bullets, a point for each monster and -1 for the death</source>
        <translation>noch nicht gemessen; Grenze des Szenarios: 26 Kugeln, ein Punkt für jedes Monster und -1 für den Tod</translation>
    </message>
    <message>
        <source>Health gathering supreme with asynchronous PPO, settings of Sample Factory</source>
        <translation>Health gathering supreme mit asynchronem PPO, Einstellungen von Sample Factory</translation>
    </message>
    <message>
        <source>A maze with a floor that hurts, in ViZDoom: find medical kits and avoid poison. Actions, rewards and preprocessing are those of Sample Factory 2. Needs the pack vizdoom.</source>
        <translation>Ein Labyrinth in ViZDoom, dessen Boden schadet: Finde Verbandskästen und meide Gift. Aktionen, Belohnungen und Vorverarbeitung wie in Sample Factory 2. Braucht das Paket vizdoom.</translation>
    </message>
    <message>
        <source>not yet measured; Sample Factory 2, APPO, 8.07 +- 1.90 after 4,000,000 frames (model card of unit 8 of Hugging Face's course; others report 6.9 to 11.4)</source>
        <translation>noch nicht gemessen; Sample Factory 2, APPO, 8,07 +- 1,90 nach 4.000.000 Bildern (Modellkarte aus Einheit 8 des Kurses von Hugging Face; andere berichten 6,9 bis 11,4)</translation>
    </message>
    <message>
        <source>Football's second lesson: run from the middle of the field and score, without defenders. Four planes of the minimap, four frames, rewards for goals and checkpoints; settings of Google Research Football's PPO example. Needs the pack football.</source>
        <translation>Die zweite Fußballlektion: Laufe von der Feldmitte los und schieße ein Tor, ohne Verteidiger. Vier Ebenen der Minikarte, vier Bilder, Belohnungen für Tore und Zwischenziele; Einstellungen des PPO-Beispiels von Google Research Football. Braucht das Paket football.</translation>
    </message>
    <message>
        <source>Football's first lesson: score from close range, without defenders. Four planes of the minimap, four frames, rewards for goals and checkpoints; settings of Google Research Football's PPO example. Needs the pack football.</source>
        <translation>Die erste Fußballlektion: Schieße aus der Nähe ein Tor, ohne Verteidiger. Vier Ebenen der Minikarte, vier Bilder, Belohnungen für Tore und Zwischenziele; Einstellungen des PPO-Beispiels von Google Research Football. Braucht das Paket football.</translation>
    </message>
    <message>
        <source>No network, unless the environment needs it.</source>
        <translation>Kein Netzwerk, außer wenn die Umgebung es braucht.</translation>
    </message>
    <message>
        <source>Only private folders can be written.</source>
        <translation>Nur private Ordner sind beschreibbar.</translation>
    </message>
    <message>
        <source>Private folders are in memory, limited, and removed with the worker.</source>
        <translation>Private Ordner liegen im Arbeitsspeicher, sind begrenzt und verschwinden mit dem Arbeitsprozess.</translation>
    </message>
    <message>
        <source>Processes of other programs are hidden.</source>
        <translation>Prozesse anderer Programme sind nicht sichtbar.</translation>
    </message>
    <message>
        <source>The memory of each process is limited.</source>
        <translation>Der Speicher jedes Prozesses ist begrenzt.</translation>
    </message>
    <message>
        <source>The memory of a worker, its children and its temporary files is limited.</source>
        <translation>Der Speicher eines Arbeitsprozesses, seiner Kindprozesse und seiner temporären Dateien ist begrenzt.</translation>
    </message>
    <message>
        <source>Sockets of other programs cannot be reached.</source>
        <translation>Sockets anderer Programme sind nicht erreichbar.</translation>
    </message>
    <message>
        <source>In /run, games reach only the sockets of the display and of sound.</source>
        <translation>In /run erreichen Spiele nur die Sockets für Bildschirm und Ton.</translation>
    </message>
    <message>
        <source>A separate user namespace makes these restrictions possible.</source>
        <translation>Ein eigener User-Namespace macht diese Beschränkungen möglich.</translation>
    </message>
    <message>
        <source>Move the paddle under the falling ball; observations are images of 84 x 84 pixels.</source>
        <translation>Bewege den Schläger unter den fallenden Ball; beobachtet werden Bilder aus 84 x 84 Pixeln.</translation>
    </message>
    <message>
        <source>the run failed: %1</source>
        <translation>der Lauf ist gescheitert: %1</translation>
    </message>
    <message>
        <source>the run was rolled back %1</source>
        <translation>der Lauf wurde %1 zurückgesetzt</translation>
    </message>
    <message>
        <source>%1 at step %2</source>
        <translation>%1 bei Schritt %2</translation>
    </message>
    <message>
        <source>Training produced numbers that are not finite.</source>
        <translation>Beim Training entstanden Zahlen, die nicht endlich sind.</translation>
    </message>
    <message>
        <source>a step so large that the network diverged, or extremely large observations or rewards</source>
        <translation>ein so großer Schritt, dass das Netz divergierte, oder extrem große Beobachtungen oder Belohnungen</translation>
    </message>
    <message>
        <source>a new run with the usual value; resuming with the current one fails again</source>
        <translation>ein neuer Lauf mit dem üblichen Wert; mit diesem scheitert auch das Fortsetzen</translation>
    </message>
    <message>
        <source>a new run with a tenth of the learning rate; resuming with the current one fails again</source>
        <translation>ein neuer Lauf mit einem Zehntel der Lernrate; mit dieser scheitert auch das Fortsetzen</translation>
    </message>
    <message>
        <source>The run failed.</source>
        <translation>Der Lauf ist gescheitert.</translation>
    </message>
    <message>
        <source>an error outside the learning algorithm</source>
        <translation>ein Fehler außerhalb des Lernverfahrens</translation>
    </message>
    <message>
        <source>remove the cause, then resume the run</source>
        <translation>beseitige die Ursache und setze den Lauf fort</translation>
    </message>
    <message>
        <source>The process of this run exits repeatedly.</source>
        <translation>Der Prozess dieses Laufs endet immer wieder.</translation>
    </message>
    <message>
        <source>%1 consecutive processes began at step %2; each ended without a stop request or a later checkpoint</source>
        <translation>%1 Prozesse nacheinander begannen bei Schritt %2; jeder endete ohne Stoppwunsch und ohne späteren Speicherstand</translation>
    </message>
    <message>
        <source>the system killed it because memory ran out, or an environment or a driver crashed</source>
        <translation>das System hat ihn aus Speichermangel beendet, oder eine Umgebung oder ein Treiber ist abgestürzt</translation>
    </message>
    <message>
        <source>find the cause at the end of the run's log and of the system's log ('journalctl -k'), remove it, then resume the run; fewer environments need less memory</source>
        <translation>suche die Ursache am Ende des Protokolls des Laufs und des Systems („journalctl -k“), beseitige sie und setze den Lauf fort; weniger Umgebungen brauchen weniger Speicher</translation>
    </message>
    <message>
        <source>The learning rate reached 0 long before the end.</source>
        <translation>Die Lernrate war lange vor dem Ende bei 0.</translation>
    </message>
    <message>
        <source>it reached 0 at step %1 of %2: %3 % of the steps had no effect</source>
        <translation>sie erreichte 0 bei Schritt %1 von %2: %3 % der Schritte hatten keine Wirkung</translation>
    </message>
    <message>
        <source>the schedule is shorter than the run</source>
        <translation>der Plan ist kürzer als der Lauf</translation>
    </message>
    <message>
        <source>continue training with a schedule for the new total</source>
        <translation>trainiere mit einem Plan für die neue Gesamtzahl weiter</translation>
    </message>
    <message>
        <source>a schedule as long as the run</source>
        <translation>ein Plan, der so lang ist wie der Lauf</translation>
    </message>
    <message>
        <source>Training became slower.</source>
        <translation>Das Training wurde langsamer.</translation>
    </message>
    <message>
        <source>%1 steps/s earlier, %2 steps/s now</source>
        <translation>früher %1 Schritte/s, jetzt %2 Schritte/s</translation>
    </message>
    <message>
        <source>another program is using the CPU, the CPU is too hot, or episodes have become more costly to simulate</source>
        <translation>ein anderes Programm benutzt den Prozessor, der Prozessor ist zu heiß, oder Episoden sind aufwendiger geworden</translation>
    </message>
    <message>
        <source>check what else is running; 'seedbed show' names the busiest part of the run</source>
        <translation>prüfen, was sonst noch läuft; 'seedbed show' nennt den Teil des Laufs, der am meisten Zeit braucht</translation>
    </message>
    <message>
        <source>The learning rate is too high.</source>
        <translation>Die Lernrate ist zu hoch.</translation>
    </message>
    <message>
        <source>each update moves the network so far that it destroys what it had learned</source>
        <translation>jeder Lernschritt verändert das Netz so stark, dass Gelerntes verloren geht</translation>
    </message>
    <message>
        <source>The learning rate is too low.</source>
        <translation>Die Lernrate ist zu niedrig.</translation>
    </message>
    <message>
        <source>each update changes the network so little that the run would need more steps</source>
        <translation>jeder Lernschritt verändert das Netz so wenig, dass die Schritte des Laufs nicht reichen</translation>
    </message>
    <message>
        <source>The learning rate decreases too early.</source>
        <translation>Die Lernrate sinkt zu früh.</translation>
    </message>
    <message>
        <source>the schedule ends before training does</source>
        <translation>der Plan endet vor dem Training</translation>
    </message>
    <message>
        <source>The entropy bonus outweighs the rewards.</source>
        <translation>Der Entropiebonus wiegt mehr als die Belohnungen.</translation>
    </message>
    <message>
        <source>the policy is rewarded for acting at random</source>
        <translation>die Policy wird für zufälliges Handeln belohnt</translation>
    </message>
    <message>
        <source>The agent does not explore enough.</source>
        <translation>Der Agent erkundet zu wenig.</translation>
    </message>
    <message>
        <source>nothing rewards trying other actions, so the policy settles before it has seen the goal</source>
        <translation>nichts belohnt das Ausprobieren anderer Aktionen, und so legt sich die Policy fest, bevor sie das Ziel gesehen hat</translation>
    </message>
    <message>
        <source>The discount does not suit the task.</source>
        <translation>Der Diskontfaktor passt nicht zur Aufgabe.</translation>
    </message>
    <message>
        <source>if it is too low, later rewards do not count; if it is too high, the value estimate cannot converge</source>
        <translation>ist er zu klein, zählen spätere Belohnungen nicht; ist er zu groß, konvergiert die Schätzung des Werts nicht</translation>
    </message>
    <message>
        <source>The decay of the advantage estimate does not suit the task.</source>
        <translation>Die Abnahme der Vorteilsschätzung (Lambda) passt nicht zur Aufgabe.</translation>
    </message>
    <message>
        <source>if it is too low, the estimate relies on values that are still wrong; if it is too high, it is noisy</source>
        <translation>ist sie zu klein, stützt sich die Schätzung auf noch falsche Werte; ist sie zu groß, rauscht sie</translation>
    </message>
    <message>
        <source>Clipping makes good and bad rewards equal.</source>
        <translation>Die Begrenzung macht gute und schlechte Belohnungen gleich.</translation>
    </message>
    <message>
        <source>the learner sees all rewards beyond the limit as equal</source>
        <translation>für den Lerner sind alle Belohnungen jenseits der Grenze gleich</translation>
    </message>
    <message>
        <source>The scale of the rewards does not suit the learner.</source>
        <translation>Die Größe der Belohnungen passt nicht zum Lerner.</translation>
    </message>
    <message>
        <source>a factor of 0 or less removes or reverses the task; returns far from 1 to 10 make one part of the loss dominate the others</source>
        <translation>ein Faktor von 0 oder weniger löscht die Aufgabe oder kehrt sie um; bei Erträgen weit außerhalb von 1 bis 10 überwiegt ein Teil des Verlusts die anderen</translation>
    </message>
    <message>
        <source>The number of epochs does not suit the data.</source>
        <translation>Die Zahl der Epochen passt nicht zu den Daten.</translation>
    </message>
    <message>
        <source>too many epochs fit the policy to one batch; too few waste its experience</source>
        <translation>zu viele Epochen passen die Policy an einen einzigen Batch an; zu wenige verschenken seine Erfahrung</translation>
    </message>
    <message>
        <source>The size of the minibatches does not suit the data.</source>
        <translation>Die Größe der Minibatches passt nicht zu den Daten.</translation>
    </message>
    <message>
        <source>large minibatches give few optimiser steps, small ones noisy gradients</source>
        <translation>große Minibatches ergeben wenige Schritte des Optimierers, kleine verrauschte Gradienten</translation>
    </message>
    <message>
        <source>The number of environments does not suit the task.</source>
        <translation>Die Zahl der Umgebungen passt nicht zur Aufgabe.</translation>
    </message>
    <message>
        <source>with few environments, each update uses a small amount of similar experience; with many, there are few updates</source>
        <translation>bei wenigen Umgebungen lernt jeder Lernschritt aus wenig und ähnlicher Erfahrung; bei vielen gibt es wenige Lernschritte</translation>
    </message>
    <message>
        <source>The length of the rollouts does not suit the task.</source>
        <translation>Die Länge der Rollouts passt nicht zur Aufgabe.</translation>
    </message>
    <message>
        <source>short rollouts separate rewards from the actions that earned them and give small batches; long ones give few updates</source>
        <translation>kurze Rollouts trennen Belohnungen von den Aktionen, die sie einbrachten, und ergeben kleine Batches; lange ergeben wenige Lernschritte</translation>
    </message>
    <message>
        <source>The clip range does not suit the algorithm.</source>
        <translation>Der Clip-Bereich passt nicht zum Algorithmus.</translation>
    </message>
    <message>
        <source>near 0 it stops learning; near 1 it does not limit changes to the policy</source>
        <translation>nahe 0 verhindert er das Lernen; nahe 1 begrenzt er Änderungen der Policy nicht</translation>
    </message>
    <message>
        <source>The weight of the value loss is wrong.</source>
        <translation>Das Gewicht des Wertverlusts stimmt nicht.</translation>
    </message>
    <message>
        <source>if it is too low, the critic does not learn; if it is too high, it dominates a shared network</source>
        <translation>ist es zu klein, lernt der Kritiker nicht; ist es zu groß, beherrscht er ein gemeinsames Netz</translation>
    </message>
    <message>
        <source>The limit on the gradient norm is wrong.</source>
        <translation>Die Grenze der Gradientennorm stimmt nicht.</translation>
    </message>
    <message>
        <source>if it is too low, it removes the gradient; if it is disabled or too high, one bad batch can destroy the network</source>
        <translation>ist sie zu klein, bleibt vom Gradienten nichts übrig; ist sie abgeschaltet oder zu groß, kann ein schlechter Batch das Netz zerstören</translation>
    </message>
    <message>
        <source>The optimiser does not suit the learning rate.</source>
        <translation>Der Optimierer passt nicht zur Lernrate.</translation>
    </message>
    <message>
        <source>optimisers need learning rates of different orders of magnitude</source>
        <translation>Optimierer brauchen Lernraten verschiedener Größenordnungen</translation>
    </message>
    <message>
        <source>The optimiser's epsilon is wrong.</source>
        <translation>Das Epsilon des Optimierers stimmt nicht.</translation>
    </message>
    <message>
        <source>a large epsilon shrinks every step</source>
        <translation>ein großes Epsilon verkleinert jeden Schritt</translation>
    </message>
    <message>
        <source>Weight decay shrinks the network faster than it learns.</source>
        <translation>Der Gewichtszerfall verkleinert das Netz schneller, als es lernt.</translation>
    </message>
    <message>
        <source>parameters are pulled to 0 at every step</source>
        <translation>die Parameter werden in jedem Schritt zur 0 gezogen</translation>
    </message>
    <message>
        <source>The network lacks the memory that the task needs.</source>
        <translation>Dem Netz fehlt das Gedächtnis, das die Aufgabe braucht.</translation>
    </message>
    <message>
        <source>one observation does not determine the best action, and without memory earlier ones are forgotten</source>
        <translation>eine einzelne Beobachtung bestimmt nicht die beste Aktion, und ohne Gedächtnis sind frühere vergessen</translation>
    </message>
    <message>
        <source>The network has the wrong size.</source>
        <translation>Das Netz hat die falsche Größe.</translation>
    </message>
    <message>
        <source>a network that is too small cannot represent a good policy; one that is too large needs more data</source>
        <translation>ein zu kleines Netz kann keine gute Policy darstellen; ein zu großes braucht mehr Daten</translation>
    </message>
    <message>
        <source>The initial spread of the actions is wrong.</source>
        <translation>Die anfängliche Streuung der Aktionen stimmt nicht.</translation>
    </message>
    <message>
        <source>if it is too wide, most actions are cut off at their bounds; if it is too narrow, the agent does not explore, and every update is a large change</source>
        <translation>ist sie zu groß, werden die meisten Aktionen an ihren Grenzen abgeschnitten; ist sie zu klein, erkundet der Agent nicht, und jeder Lernschritt ist eine große Änderung</translation>
    </message>
    <message>
        <source>Observations are not normalised as the task requires.</source>
        <translation>Beobachtungen sind nicht so normalisiert, wie es die Aufgabe verlangt.</translation>
    </message>
    <message>
        <source>observations of very different scales reach the network</source>
        <translation>Beobachtungen sehr verschiedener Größenordnungen erreichen das Netz</translation>
    </message>
    <message>
        <source>Advantages are not normalised as the algorithm requires.</source>
        <translation>Vorteile sind nicht so normalisiert, wie es der Algorithmus verlangt.</translation>
    </message>
    <message>
        <source>the size of the rewards then scales every step of the policy</source>
        <translation>die Größe der Belohnungen bestimmt dann jeden Schritt der Policy</translation>
    </message>
    <message>
        <source>Updates end after a few minibatches.</source>
        <translation>Lernschritte enden nach wenigen Minibatches.</translation>
    </message>
    <message>
        <source>the permitted change to the policy is so small that most data are not used</source>
        <translation>die erlaubte Änderung der Policy ist so klein, dass die meisten Daten ungenutzt bleiben</translation>
    </message>
    <message>
        <source>Actors use parameters that are too old.</source>
        <translation>Akteure benutzen zu alte Parameter.</translation>
    </message>
    <message>
        <source>the experience comes from a policy much older than the learner's</source>
        <translation>die Erfahrung stammt von einer viel älteren Policy als der des Lerners</translation>
    </message>
    <message>
        <source>The run has too few steps.</source>
        <translation>Der Lauf hat zu wenige Schritte.</translation>
    </message>
    <message>
        <source>it ends before the goal can be reached</source>
        <translation>er endet, bevor das Ziel erreicht werden kann</translation>
    </message>
    <message>
        <source>Evaluations do not select actions as the preset's goal assumes.</source>
        <translation>Auswertungen wählen Aktionen anders, als es das Ziel der Voreinstellung voraussetzt.</translation>
    </message>
    <message>
        <source>sampled actions score lower than the most probable ones while the policy explores</source>
        <translation>gezogene Aktionen erreichen weniger als die wahrscheinlichsten, solange die Policy erkundet</translation>
    </message>
    <message>
        <source>A changed environment makes the task harder.</source>
        <translation>Eine geänderte Umgebung macht die Aufgabe schwerer.</translation>
    </message>
    <message>
        <source>the agent decides too rarely</source>
        <translation>der Agent entscheidet zu selten</translation>
    </message>
    <message>
        <source>actions are often replaced by earlier ones</source>
        <translation>Aktionen werden oft durch frühere ersetzt</translation>
    </message>
    <message>
        <source>episodes end before the goal can be reached, or never</source>
        <translation>Episoden enden, bevor das Ziel erreicht werden kann, oder nie</translation>
    </message>
    <message>
        <source>the preset is tuned for other parameters of the environment</source>
        <translation>die Voreinstellung ist für andere Parameter der Umgebung gemacht</translation>
    </message>
    <message>
        <source>A changed setting is the likely reason.</source>
        <translation>Eine geänderte Einstellung ist der wahrscheinliche Grund.</translation>
    </message>
    <message>
        <source>the run misses its goal with a value that the preset does not use</source>
        <translation>der Lauf verfehlt sein Ziel mit einem Wert, den die Voreinstellung nicht benutzt</translation>
    </message>
    <message>
        <source>%1 is %2 (in the preset: %3)</source>
        <translation>%1 ist %2 (in der Voreinstellung: %3)</translation>
    </message>
    <message>
        <source>%1 is %2 (by default: %3)</source>
        <translation>%1 ist %2 (Standard: %3)</translation>
    </message>
    <message>
        <source>the preset's value</source>
        <translation>der Wert der Voreinstellung</translation>
    </message>
    <message>
        <source>the default value</source>
        <translation>der Standardwert</translation>
    </message>
    <message>
        <source>The policy stopped exploring.</source>
        <translation>Die Policy erkundet nicht mehr.</translation>
    </message>
    <message>
        <source>entropy fell from %1 to %2 nats, and the return is below the reference</source>
        <translation>die Entropie fiel von %1 auf %2 Nats, und der Ertrag liegt unter der Referenz</translation>
    </message>
    <message>
        <source>the policy became deterministic before it found good behaviour</source>
        <translation>die Policy wurde deterministisch, bevor sie gutes Verhalten fand</translation>
    </message>
    <message>
        <source>a larger entropy cost</source>
        <translation>ein größeres Gewicht der Entropie</translation>
    </message>
    <message>
        <source>Each update changes the policy too much.</source>
        <translation>Jeder Lernschritt ändert die Policy zu stark.</translation>
    </message>
    <message>
        <source>the KL divergence per update is %1 (median of the last quarter)</source>
        <translation>die KL-Divergenz je Lernschritt ist %1 (Median des letzten Viertels)</translation>
    </message>
    <message>
        <source>the learning rate is too high, or there are too many epochs on the same data</source>
        <translation>die Lernrate ist zu hoch, oder es gibt zu viele Epochen auf denselben Daten</translation>
    </message>
    <message>
        <source>half the learning rate</source>
        <translation>die halbe Lernrate</translation>
    </message>
    <message>
        <source>Most decisions no longer contribute to learning.</source>
        <translation>Die meisten Entscheidungen tragen nichts mehr zum Lernen bei.</translation>
    </message>
    <message>
        <source>%1 % of the probability ratios are clipped (median of the last quarter)</source>
        <translation>%1 % der Wahrscheinlichkeitsverhältnisse sind abgeschnitten (Median des letzten Viertels)</translation>
    </message>
    <message>
        <source>too many epochs or too high a learning rate for the size of the batch</source>
        <translation>zu viele Epochen oder eine zu hohe Lernrate für die Größe des Batches</translation>
    </message>
    <message>
        <source>fewer epochs, or a lower learning rate</source>
        <translation>weniger Epochen oder eine kleinere Lernrate</translation>
    </message>
    <message>
        <source>The value estimate does not predict the returns.</source>
        <translation>Die Schätzung des Werts sagt die Erträge nicht voraus.</translation>
    </message>
    <message>
        <source>its explained variance is %1 (median of the last quarter; 1 is perfect, 0 a constant guess)</source>
        <translation>ihre erklärte Varianz ist %1 (Median des letzten Viertels; 1 ist vollkommen, 0 wie eine Konstante)</translation>
    </message>
    <message>
        <source>observations that do not predict the return, a value loss dominated by other losses, or rewards that are very rare or very large</source>
        <translation>Beobachtungen, die den Return nicht vorhersagen, ein Wertverlust, der gegen andere Verluste untergeht, oder sehr seltene oder sehr große Belohnungen</translation>
    </message>
    <message>
        <source>scale the rewards so that returns are of the order of 1 to 10, or add information to the observations</source>
        <translation>skaliere die Belohnungen so, dass Erträge in der Größenordnung von 1 bis 10 liegen, oder ergänze die Beobachtungen</translation>
    </message>
    <message>
        <source>a separate network for the value estimate</source>
        <translation>ein eigenes Netz für den geschätzten Wert</translation>
    </message>
    <message>
        <source>Nearly every gradient is clipped.</source>
        <translation>Fast jeder Gradient wird beschnitten.</translation>
    </message>
    <message>
        <source>%1 % of the last updates have a gradient norm above %2; the median is %3</source>
        <translation>%1 % der letzten Updates haben eine Gradientennorm über %2; der Median ist %3</translation>
    </message>
    <message>
        <source>large losses: clipping then determines the size of the steps</source>
        <translation>große Verluste: dann bestimmt die Begrenzung die Größe der Schritte</translation>
    </message>
    <message>
        <source>scale the rewards down</source>
        <translation>die Belohnungen verkleinern</translation>
    </message>
    <message>
        <source>Returns are too large for the network.</source>
        <translation>Die Erträge sind zu groß für das Netz.</translation>
    </message>
    <message>
        <source>the value loss is %1 (median of the last quarter)</source>
        <translation>der Verlust des Werts ist %1 (Median des letzten Viertels)</translation>
    </message>
    <message>
        <source>large rewards, whose errors dominate all other parts of the loss</source>
        <translation>große Belohnungen, deren Fehler alle anderen Teile des Verlusts überwiegen</translation>
    </message>
    <message>
        <source>scale the rewards so that returns are of the order of 1 to 10</source>
        <translation>die Belohnungen so skalieren, dass Erträge in der Größenordnung von 1 bis 10 liegen</translation>
    </message>
    <message>
        <source>The agent lost what it had learned.</source>
        <translation>Der Agent hat verlernt, was er gelernt hatte.</translation>
    </message>
    <message>
        <source>the mean of three evaluations was %1 around step %2 and is %3 now</source>
        <translation>das Mittel dreier Auswertungen war um Schritt %2 bei %1 und ist jetzt %3</translation>
    </message>
    <message>
        <source>updates that are too large for a policy that is already good: after one bad step, the collected experience is bad too</source>
        <translation>zu große Updates für eine Policy, die schon gut ist: nach einem schlechten Schritt ist auch die gesammelte Erfahrung schlecht</translation>
    </message>
    <message>
        <source>half the learning rate; the best checkpoint of this run is kept and can be watched, exported and trained further</source>
        <translation>die halbe Lernrate; der beste Speicherstand dieses Laufs bleibt erhalten und kann angesehen, exportiert und weiter trainiert werden</translation>
    </message>
    <message>
        <source>The return has not improved for a long time.</source>
        <translation>Der Ertrag ist seit Langem nicht besser geworden.</translation>
    </message>
    <message>
        <source>a local optimum or the best possible score, a learning rate that has become too small, or a task that needs more exploration</source>
        <translation>ein lokales Optimum oder die bestmögliche Punktzahl, eine zu klein gewordene Lernrate oder eine Aufgabe, die mehr Erkundung braucht</translation>
    </message>
    <message>
        <source>another seed first; then a larger entropy cost or more environments</source>
        <translation>zuerst einen anderen Seed; dann ein größeres Gewicht der Entropie oder mehr Umgebungen</translation>
    </message>
    <message>
        <source>Every episode ends at the time limit.</source>
        <translation>Jede Episode endet an der Zeitgrenze.</translation>
    </message>
    <message>
        <source>the goal is never reached: exploration does not find it within the limit</source>
        <translation>das Ziel wird nie erreicht: Erkunden findet es nicht innerhalb der Grenze</translation>
    </message>
    <message>
        <source>more exploration</source>
        <translation>mehr Erkunden</translation>
    </message>
    <message>
        <source>Evaluations are far below the training returns.</source>
        <translation>Auswertungen liegen weit unter den Erträgen im Training.</translation>
    </message>
    <message>
        <source>the last evaluation is %1, and training episodes return %2</source>
        <translation>die letzte Auswertung ist %1, Trainingsepisoden erreichen %2</translation>
    </message>
    <message>
        <source>always taking the most probable action gets stuck where sampling succeeds</source>
        <translation>stets die wahrscheinlichste Aktion zu wählen bleibt stecken, wo Ziehen Erfolg hat</translation>
    </message>
    <message>
        <source>evaluation episodes differ from those of training</source>
        <translation>Auswertungsepisoden unterscheiden sich von denen des Trainings</translation>
    </message>
    <message>
        <source>sample actions in evaluations too, or train longer</source>
        <translation>ziehe Aktionen auch in Auswertungen, oder trainiere länger</translation>
    </message>
    <message>
        <source>evaluate greedily</source>
        <translation>werte greedy aus</translation>
    </message>
    <message>
        <source>The run is no better than random play.</source>
        <translation>Der Lauf ist nicht besser als zufälliges Spiel.</translation>
    </message>
    <message>
        <source>The run missed its goal.</source>
        <translation>Der Lauf hat sein Ziel verfehlt.</translation>
    </message>
    <message>
        <source>the default settings are not tuned for this environment</source>
        <translation>die Standardwerte sind nicht auf diese Umgebung abgestimmt</translation>
    </message>
    <message>
        <source>start from the preset of the environment</source>
        <translation>beginne mit der Voreinstellung der Umgebung</translation>
    </message>
    <message>
        <source>too few steps, or an unlucky seed</source>
        <translation>zu wenige Schritte oder ein unglücklicher Seed</translation>
    </message>
    <message>
        <source>more steps, or another seed</source>
        <translation>mehr Schritte oder ein anderer Seed</translation>
    </message>
    <message>
        <source>RL Baselines3 Zoo, PPO, LunarLander-v2, 233.56 +- 53.89 after 1,000,000 steps (model card sb3/ppo-LunarLander-v2)</source>
        <translation>RL Baselines3 Zoo, PPO, LunarLander-v2, 233,56 +- 53,89 nach 1.000.000 Schritten (Modellkarte sb3/ppo-LunarLander-v2)</translation>
    </message>
    <message>
        <source>The run ended before its first update.</source>
        <translation>Der Lauf endete vor seiner ersten Aktualisierung.</translation>
    </message>
    <message>
        <source>The run has not started training yet.</source>
        <translation>Der Lauf hat noch nicht mit dem Training begonnen.</translation>
    </message>
    <message>
        <source>it has trained for 0 steps</source>
        <translation>er hat 0 Schritte trainiert</translation>
    </message>
    <message>
        <source>the run is queued</source>
        <translation>der Lauf wartet in der Warteschlange</translation>
    </message>
    <message>
        <source>start the queue with 'seedbed queue start'</source>
        <translation>die Warteschlange mit 'seedbed queue start' starten</translation>
    </message>
    <message>
        <source>it was removed from the queue, or its process was stopped or killed</source>
        <translation>er wurde aus der Warteschlange entfernt, oder sein Prozess wurde angehalten oder beendet</translation>
    </message>
    <message>
        <source>resume the run</source>
        <translation>den Lauf fortsetzen</translation>
    </message>
    <message>
        <source>the last evaluation is %1 and the goal %2; %3 is %4 (in the preset: %5)</source>
        <translation>die letzte Auswertung ergab %1, das Ziel ist %2; %3 ist %4 (in der Voreinstellung: %5)</translation>
    </message>
    <message>
        <source>the last evaluation is %1 and the goal %2; %3 is %4 (by default: %5)</source>
        <translation>die letzte Auswertung ergab %1, das Ziel ist %2; %3 ist %4 (Standard: %5)</translation>
    </message>
    <message>
        <source>the training return is %1 and the goal %2; %3 is %4 (in the preset: %5)</source>
        <translation>der Ertrag im Training ist %1, das Ziel %2; %3 ist %4 (in der Voreinstellung: %5)</translation>
    </message>
    <message>
        <source>the training return is %1 and the goal %2; %3 is %4 (by default: %5)</source>
        <translation>der Ertrag im Training ist %1, das Ziel %2; %3 ist %4 (Standard: %5)</translation>
    </message>
    <message>
        <source>continue the run up to the preset's number of steps</source>
        <translation>den Lauf bis zur Schrittzahl der Voreinstellung fortsetzen</translation>
    </message>
    <message>
        <source>continue the run up to the default number of steps</source>
        <translation>den Lauf bis zur üblichen Schrittzahl fortsetzen</translation>
    </message>
    <message>
        <source>the training return was %1 around step %2 and is %3 now (means of %4 updates); the mean of three evaluations was %5 around step %6 and is %7 now</source>
        <translation>der Ertrag im Training war %1 um Schritt %2 und ist jetzt %3 (Mittel über %4 Aktualisierungen); das Mittel dreier Auswertungen war %5 um Schritt %6 und ist jetzt %7</translation>
    </message>
    <message>
        <source>the training return was %1 around step %2 and is %3 now (means of %4 updates)</source>
        <translation>der Ertrag im Training war %1 um Schritt %2 und ist jetzt %3 (Mittel über %4 Aktualisierungen)</translation>
    </message>
    <message>
        <source>the training return was %1 in the middle of the run and is %2 now</source>
        <translation>der Ertrag im Training war %1 in der Mitte des Laufs und ist jetzt %2</translation>
    </message>
    <message>
        <source>%1 % of the last %2 episodes lasted %3 steps, and the training return is %4, no better than random</source>
        <translation>%1 % der letzten %2 Episoden dauerten %3 Schritte, und der Ertrag im Training ist %4, nicht besser als zufällig</translation>
    </message>
    <message>
        <source>%1 % of the last %2 episodes lasted %3 steps, and the training return is %4, no better than at the beginning</source>
        <translation>%1 % der letzten %2 Episoden dauerten %3 Schritte, und der Ertrag im Training ist %4, nicht besser als am Anfang</translation>
    </message>
    <message>
        <source>the last evaluation is %1 and the goal %2</source>
        <translation>die letzte Auswertung ergab %1, das Ziel ist %2</translation>
    </message>
    <message>
        <source>the training return is %1 and the goal %2</source>
        <translation>der Ertrag im Training ist %1, das Ziel %2</translation>
    </message>
    <message>
        <source>The first task of ViZDoom: move sideways and shoot a monster, seen in pixels. Actions, rewards and preprocessing are those of Sample Factory 2; the learning rate is three times as high. Needs the pack vizdoom.</source>
        <translation>Die erste Aufgabe von ViZDoom: Bewege dich seitwärts und erschieße ein Monster; beobachtet werden Pixel. Aktionen, Belohnungen und Vorverarbeitung wie in Sample Factory 2; die Lernrate ist dreimal so hoch. Braucht das Paket vizdoom.</translation>
    </message>
    <message>
        <source>bound of the scenario: 106 points for the monster and -5 for a shot, times 0.01, before the 0.01 per tic</source>
        <translation>Grenze des Szenarios: 106 Punkte für das Monster und -5 für einen Schuss, mal 0,01, noch ohne die 0,01 je Tic</translation>
    </message>
    <message>
        <source>Replay</source>
        <translation>Replay</translation>
    </message>
    <message>
        <source>What checkpoints contain of the replay of algorithms that have one: none, so that a resumed run collects new experience before it learns; full, for an exact resume.</source>
        <translation>Was Speicherstände vom Replay enthalten, falls der Algorithmus eines hat. none: nichts, ein fortgesetzter Lauf sammelt vor dem Lernen neue Erfahrung; full: alles, der Lauf geht exakt weiter.</translation>
    </message>
    <message>
        <source>Replay size</source>
        <translation>Größe des Replays</translation>
    </message>
    <message>
        <source>Decisions that the replay keeps; the oldest are dropped first.</source>
        <translation>So viele Entscheidungen behält das Replay; die ältesten fallen zuerst heraus.</translation>
    </message>
    <message>
        <source>Replay start</source>
        <translation>Replay vor dem Lernen</translation>
    </message>
    <message>
        <source>Decisions in the replay before learning starts.</source>
        <translation>Entscheidungen im Replay, bevor das Lernen beginnt.</translation>
    </message>
    <message>
        <source>Replay ratio</source>
        <translation>Replay-Verhältnis</translation>
    </message>
    <message>
        <source>Decisions used for learning per decision made: optimiser steps times batch_size. One step with a batch of 32 for every 4 decisions is a ratio of 8.</source>
        <translation>Zum Lernen benutzte Entscheidungen je getroffener Entscheidung: Schritte des Optimierers mal batch_size. Ein Schritt mit einem Batch von 32 nach je 4 Entscheidungen ergibt ein Verhältnis von 8.</translation>
    </message>
    <message>
        <source>Batch size</source>
        <translation>Batch-Größe</translation>
    </message>
    <message>
        <source>Decisions per optimiser step, drawn from the replay.</source>
        <translation>Entscheidungen je Schritt des Optimierers, aus dem Replay gezogen.</translation>
    </message>
    <message>
        <source>Prioritised</source>
        <translation>Priorisiert</translation>
    </message>
    <message>
        <source>Draw decisions with large errors more often instead of all equally often.</source>
        <translation>Zieht Entscheidungen mit großen Fehlern öfter, statt alle gleich oft.</translation>
    </message>
    <message>
        <source>Priority alpha</source>
        <translation>Alpha der Priorität</translation>
    </message>
    <message>
        <source>Exponent of the errors when drawing by priority; 0 draws uniformly.</source>
        <translation>Exponent der Fehler beim Ziehen nach Priorität; 0 zieht alle gleich oft.</translation>
    </message>
    <message>
        <source>Priority beta</source>
        <translation>Beta der Priorität</translation>
    </message>
    <message>
        <source>Exponent of the importance weights that correct for drawing by priority; 1 corrects fully.</source>
        <translation>Exponent der Importance-Gewichte, die das Ziehen nach Priorität ausgleichen; 1 gleicht es ganz aus.</translation>
    </message>
    <message>
        <source>N step</source>
        <translation>n Schritte</translation>
    </message>
    <message>
        <source>Rewards in a target before the value estimate.</source>
        <translation>Belohnungen in einem Zielwert, bevor der geschätzte Wert folgt.</translation>
    </message>
    <message>
        <source>Double q</source>
        <translation>Double Q</translation>
    </message>
    <message>
        <source>Double Q-learning: the online network selects the action of the target, which reduces overestimation.</source>
        <translation>Double Q-Learning: Das Online-Netz wählt die Aktion des Zielwerts; das verringert die Überschätzung.</translation>
    </message>
    <message>
        <source>Dueling</source>
        <translation>Dueling</translation>
    </message>
    <message>
        <source>Separate outputs for the value of a state and the advantage of actions.</source>
        <translation>Getrennte Ausgänge für den Wert eines Zustands und die Advantages der Aktionen.</translation>
    </message>
    <message>
        <source>Target period</source>
        <translation>Periode des Zielnetzes</translation>
    </message>
    <message>
        <source>Optimiser steps between two updates of the target network.</source>
        <translation>Schritte des Optimierers zwischen zwei Aktualisierungen des Zielnetzes.</translation>
    </message>
    <message>
        <source>Target rate</source>
        <translation>Rate des Zielnetzes</translation>
    </message>
    <message>
        <source>Share of the online network in an update of the target network; 1 copies it.</source>
        <translation>Anteil des Online-Netzes an einer Aktualisierung des Zielnetzes; 1 kopiert es.</translation>
    </message>
    <message>
        <source>Step size of the optimiser.</source>
        <translation>Schrittweite des Optimierers.</translation>
    </message>
    <message>
        <source>Loss</source>
        <translation>Verlust</translation>
    </message>
    <message>
        <source>Epsilon start</source>
        <translation>Epsilon am Anfang</translation>
    </message>
    <message>
        <source>Initial probability of a random action.</source>
        <translation>Wahrscheinlichkeit einer zufälligen Aktion am Anfang.</translation>
    </message>
    <message>
        <source>Epsilon end</source>
        <translation>Epsilon am Ende</translation>
    </message>
    <message>
        <source>Probability of a random action after epsilon_horizon.</source>
        <translation>Wahrscheinlichkeit einer zufälligen Aktion nach epsilon_horizon.</translation>
    </message>
    <message>
        <source>Epsilon horizon</source>
        <translation>Horizont von Epsilon</translation>
    </message>
    <message>
        <source>Decisions over which the probability of a random action decreases linearly.</source>
        <translation>So viele Entscheidungen lang sinkt die Wahrscheinlichkeit einer zufälligen Aktion linear.</translation>
    </message>
    <message>
        <source>Epsilon ladder</source>
        <translation>Staffelung von Epsilon</translation>
    </message>
    <message>
        <source>Environments explore to different degrees: environment i of n has the probability epsilon^(1 + epsilon_ladder i / (n - 1)); 0: the same for each, 7: as in Ape-X.</source>
        <translation>Die Umgebungen erkunden verschieden stark: Umgebung i von n hat die Wahrscheinlichkeit epsilon^(1 + epsilon_ladder i / (n - 1)); 0: in jeder gleich, 7: wie in Ape-X.</translation>
    </message>
    <message>
        <source>the same for each</source>
        <translation>in jeder gleich</translation>
    </message>
    <message>
        <source>CartPole with DQN</source>
        <translation>CartPole mit DQN</translation>
    </message>
    <message>
        <source>The quickest example of learning from a replay.</source>
        <translation>Das schnellste Beispiel für das Lernen aus einem Replay.</translation>
    </message>
    <message>
        <source>RL Baselines3 Zoo, DQN, CartPole-v1 after 50,000 steps</source>
        <translation>RL Baselines3 Zoo, DQN, CartPole-v1 nach 50.000 Schritten</translation>
    </message>
    <message>
        <source>DMLab-30 with V-trace, settings of SEED RL</source>
        <translation>DMLab-30 mit V-trace, Einstellungen von SEED RL</translation>
    </message>
    <message>
        <source>The 30 tasks of DMLab-30 as one agent, with IMPALA's deep network and an LSTM. Evaluations report the return of each task and the capped mean of the human-normalised scores. For a cluster: takes weeks on a small computer. Needs the pack dmlab with a DeepMind Lab that you have built.</source>
        <translation>Ein Agent für alle 30 Aufgaben von DMLab-30, mit dem tiefen Netz von IMPALA und einem LSTM. Auswertungen nennen den Ertrag jeder Aufgabe und das gedeckelte Mittel der am Menschen normierten Punktzahlen. Für einen Cluster: Auf einem kleinen Rechner dauert es Wochen. Braucht das Paket dmlab mit einem selbst gebauten DeepMind Lab.</translation>
    </message>
    <message>
        <source>not yet measured; mean return of the tasks' human players; the goal is 49.4 % of the way there from random play, the mean that IMPALA (Espeholt et al. 2018, table 1) reports after 10,000,000,000 frames</source>
        <translation>noch nicht gemessen; mittlerer Ertrag menschlicher Spieler in diesen Aufgaben; das Ziel liegt bei 49,4 % des Wegs vom zufälligen Spiel dorthin, dem Mittel, das IMPALA (Espeholt et al. 2018, Tabelle 1) nach 10.000.000.000 Bildern angibt</translation>
    </message>
    <message>
        <source>11 v 11 with PPO</source>
        <translation>11 gegen 11 mit PPO</translation>
    </message>
    <message>
        <source>A whole game of football against the easy opponent of the game, with one controlled player at a time. Four planes of the minimap, four frames, rewards for goals and checkpoints; settings of Google Research Football's PPO example. Takes days on a small computer. Needs the pack football.</source>
        <translation>Ein ganzes Fußballspiel gegen den leichten Gegner des Spiels; gesteuert wird immer nur ein Spieler. Vier Ebenen der Minikarte, vier Bilder, Belohnungen für Tore und Checkpoints; Einstellungen des PPO-Beispiels von Google Research Football. Dauert auf einem kleinen Rechner Tage. Braucht das Paket football.</translation>
    </message>
    <message>
        <source>not yet measured; a lead of one goal and the ten checkpoints of 0.1, our choice: Google Research Football (Kurach et al. 2020) reports goals only</source>
        <translation>noch nicht gemessen; ein Tor Vorsprung und die zehn Checkpoints zu je 0,1, von uns gewählt, denn Google Research Football (Kurach et al. 2020) nennt nur Tore</translation>
    </message>
    <message>
        <source>not yet measured; optimal return: a goal and ten checkpoints of 0.1; 1.9 means a goal in at least 90 % of the episodes</source>
        <translation>noch nicht gemessen; bester möglicher Ertrag: ein Tor und zehn Checkpoints zu je 0,1; 1,9 heißt ein Tor in mindestens 90 % der Episoden</translation>
    </message>
    <message>
        <source>Deathmatch against bots with asynchronous PPO, settings of Sample Factory</source>
        <translation>Deathmatch gegen Bots mit asynchronem PPO, Einstellungen von Sample Factory</translation>
    </message>
    <message>
        <source>Four minutes against seven bots in ViZDoom, with all weapons. Actions, measurements and rewards are those of Sample Factory 2, the map is that of the Visual Doom AI Competition. Takes days on a small computer. Needs the pack vizdoom.</source>
        <translation>Vier Minuten gegen sieben Bots in ViZDoom, mit allen Waffen. Aktionen, Messgrößen und Belohnungen sind die von Sample Factory 2, die Karte ist die der Visual Doom AI Competition. Dauert auf einem kleinen Rechner Tage. Braucht das Paket vizdoom.</translation>
    </message>
    <message>
        <source>not yet measured; Sample Factory 2, 85.66 +- 28.53 frags on its own map (mean of 10 matches of its best model), each a reward of 1 plus smaller ones</source>
        <translation>noch nicht gemessen; Sample Factory 2, 85,66 +- 28,53 Frags auf der eigenen Karte (Mittel aus 10 Partien des besten Modells), jeder eine Belohnung von 1; dazu kommen kleinere</translation>
    </message>
    <message>
        <source>shortest path with key and door, mean over layouts, scored by the reward formula of MiniGrid</source>
        <translation>der kürzeste Weg mit Schlüssel und Tür, Mittel über die Anordnungen, nach der Belohnungsformel von MiniGrid</translation>
    </message>
    <message>
        <source>shortest path to the matching object, scored by the reward formula of MiniGrid; upper bound, since the agent must look at the object first</source>
        <translation>der kürzeste Weg zum gleichen Gegenstand, nach der Belohnungsformel von MiniGrid; obere Schranke, weil der Agent den Gegenstand zuerst ansehen muss</translation>
    </message>
    <message>
        <source>Novelty</source>
        <translation>Neuheit</translation>
    </message>
    <message>
        <source>Intrinsic reward for new observations, for tasks with sparse rewards. rnd: random network distillation (Burda et al. 2019); noveld: the increase of that novelty at observations that are new in the rollout of the episode (Zhang et al. 2021).</source>
        <translation>Intrinsische Belohnung für neue Beobachtungen, für Aufgaben mit seltenen Belohnungen. rnd: Random Network Distillation (Burda et al. 2019); noveld: der Zuwachs dieser Neuheit bei Beobachtungen, die in der Episode innerhalb des Rollouts neu sind (Zhang et al. 2021).</translation>
    </message>
    <message>
        <source>Novelty cost</source>
        <translation>Gewicht der Neuheit</translation>
    </message>
    <message>
        <source>Weight of the advantages of the intrinsic reward; those of the task have weight 1.</source>
        <translation>Gewicht der Advantages der intrinsischen Belohnung; die der Aufgabe haben das Gewicht 1.</translation>
    </message>
    <message>
        <source>Novelty gamma</source>
        <translation>Gamma der Neuheit</translation>
    </message>
    <message>
        <source>Discount factor of the intrinsic reward, which continues into the next episode.</source>
        <translation>Diskontfaktor der intrinsischen Belohnung, die über das Ende der Episode hinaus weiterzählt.</translation>
    </message>
    <message>
        <source>Novelty share</source>
        <translation>Lernanteil der Neuheit</translation>
    </message>
    <message>
        <source>Share of the rows from which the predictor learns; a smaller share keeps observations new for longer.</source>
        <translation>Anteil der Zeilen, aus denen der Prädiktor lernt; je kleiner er ist, desto länger bleiben Beobachtungen neu.</translation>
    </message>
    <message>
        <source>Sparse rewards: key, door and goal are found by chance, and a small learning rate keeps what was learned.</source>
        <translation>Seltene Belohnungen: Schlüssel, Tür und Ziel werden durch Zufall gefunden, und eine kleine Lernrate bewahrt das Gelernte.</translation>
    </message>
    <message>
        <source>Decay of the targets: 1 sums all rewards of the rollout, 0 relies on the next value.</source>
        <translation>Abnahme in den Zielwerten: 1 summiert alle Belohnungen des Rollouts, 0 stützt sich auf den nächsten Wert.</translation>
    </message>
    <message>
        <source>CartPole with PQN</source>
        <translation>CartPole mit PQN</translation>
    </message>
    <message>
        <source>Q-learning without a replay: as quick as PPO, and a starting point for other tasks with one discrete action.</source>
        <translation>Q-Learning ohne Replay: so schnell wie PPO und ein Ausgangspunkt für andere Aufgaben mit einer diskreten Aktion.</translation>
    </message>
    <message>
        <source>MinAtar Asterix with PQN</source>
        <translation>MinAtar Asterix mit PQN</translation>
    </message>
    <message>
        <source>Parallel Q-learning with the settings of its paper; compare it with PPO.</source>
        <translation>Paralleles Q-Learning mit den Einstellungen aus dem Paper; vergleiche es mit PPO.</translation>
    </message>
    <message>
        <source>not yet measured; MinAtar's published DQN after 5,000,000 frames, 30 seeds (Young &amp; Tian 2019, repository)</source>
        <translation>noch nicht gemessen; veröffentlichtes DQN von MinAtar nach 5.000.000 Bildern, 30 Seeds (Young &amp; Tian 2019, Repository)</translation>
    </message>
    <message>
        <source>MinAtar Breakout with PQN</source>
        <translation>MinAtar Breakout mit PQN</translation>
    </message>
    <message>
        <source>MinAtar Freeway with PQN</source>
        <translation>MinAtar Freeway mit PQN</translation>
    </message>
    <message>
        <source>MinAtar Seaquest with PQN</source>
        <translation>MinAtar Seaquest mit PQN</translation>
    </message>
    <message>
        <source>MinAtar Space Invaders with PQN</source>
        <translation>MinAtar Space Invaders mit PQN</translation>
    </message>
    <message>
        <source>The agent first learns to avoid the lava; finding the gaps to the goal takes many steps at a small learning rate.</source>
        <translation>Der Agent lernt zuerst, die Lava zu meiden; bis er die Lücken zum Ziel findet, vergehen bei kleiner Lernrate viele Schritte.</translation>
    </message>
    <message>
        <source>The quickest example of an intrinsic reward: without algo.novelty, one seed in three never finds the gap in the lava.</source>
        <translation>Das schnellste Beispiel für eine intrinsische Belohnung: Ohne algo.novelty findet einer von drei Seeds die Lücke in der Lava nie.</translation>
    </message>
    <message>
        <source>Five lava rivers: an intrinsic reward leads through gaps that random play never passes.</source>
        <translation>Fünf Lavaströme: Eine intrinsische Belohnung führt durch Lücken, durch die zufälliges Spiel nie kommt.</translation>
    </message>
    <message>
        <source>Advantages</source>
        <translation>Advantages</translation>
    </message>
    <message>
        <source>Estimator of advantages and value targets: gae (Schulman et al. 2016), n_step returns, or vtrace, which is gae that always corrects for data from older parameters.</source>
        <translation>Schätzer der Advantages und der Zielwerte: gae (Schulman et al. 2016), n_step (Erträge über n Schritte) oder vtrace, also gae mit ständiger Korrektur für Daten aus älteren Parametern.</translation>
    </message>
    <message>
        <source>Correction for data from older parameters (asynchronous runs): V-trace or none; auto: V-trace if such data can occur.</source>
        <translation>Korrektur für Daten aus älteren Parametern (asynchrone Läufe): V-trace oder keine; auto: V-trace, wenn solche Daten vorkommen können.</translation>
    </message>
    <message>
        <source>Normalise the advantages of each update to mean 0 and standard deviation 1.</source>
        <translation>Normiert die Advantages jedes Lernschritts auf Mittel 0 und Standardabweichung 1.</translation>
    </message>
    <message>
        <source>Rewards of an n-step return before it continues with a value estimate; 0: all until the end of the rollout.</source>
        <translation>Belohnungen eines Ertrags über n Schritte, bevor er mit einem geschätzten Wert fortgesetzt wird; 0: alle bis zum Ende des Rollouts.</translation>
    </message>
    <message>
        <source>all until the end of the rollout</source>
        <translation>alle bis zum Ende des Rollouts</translation>
    </message>
    <message>
        <source>Hindsight</source>
        <translation>Hindsight</translation>
    </message>
    <message>
        <source>Number of decisions, per decision with its own goal, whose goal is replaced with a state reached later in the episode. Needs an environment with goals; 0: none.</source>
        <translation>Auf jede Entscheidung mit eigenem Ziel kommen so viele weitere, deren Ziel durch einen später in der Episode erreichten Zustand ersetzt ist. Braucht eine Umgebung mit Zielen; 0: keine.</translation>
    </message>
    <message>
        <source>Values</source>
        <translation>Werte</translation>
    </message>
    <message>
        <source>What the network predicts for an action: the mean return; quantiles of the return; or an ensemble of means, one of which acts in each episode, so that exploration is consistent.</source>
        <translation>Was das Netz für eine Aktion vorhersagt: den mittleren Ertrag, Quantile des Ertrags oder ein Ensemble von Mitteln, von denen in jeder Episode eines handelt, sodass eine Episode lang einheitlich erkundet wird.</translation>
    </message>
    <message>
        <source>Value count</source>
        <translation>Zahl der Werte</translation>
    </message>
    <message>
        <source>Number of quantiles, or of members of the ensemble.</source>
        <translation>Zahl der Quantile oder der Mitglieder des Ensembles.</translation>
    </message>
    <message>
        <source>Prior scale</source>
        <translation>Faktor des Priors</translation>
    </message>
    <message>
        <source>Member share</source>
        <translation>Anteil je Mitglied</translation>
    </message>
    <message>
        <source>Probability that a member of an ensemble learns from a decision; 1: all learn from all.</source>
        <translation>Wahrscheinlichkeit, dass ein Mitglied eines Ensembles aus einer Entscheidung lernt; 1: alle lernen aus allen.</translation>
    </message>
    <message>
        <source>all learn from all</source>
        <translation>alle lernen aus allen</translation>
    </message>
    <message>
        <source>Huber loss, whose gradient is clipped to 1, or half the squared error. Quantiles always use the former.</source>
        <translation>Huber-Verlust, dessen Gradient auf 1 begrenzt ist, oder der halbe quadrierte Fehler. Quantile benutzen immer den Huber-Verlust.</translation>
    </message>
    <message>
        <source>Standard deviation of continuous actions: one learned parameter per dimension, or an output of the network; sac always uses the network, td3 neither.</source>
        <translation>Standardabweichung kontinuierlicher Aktionen: ein gelernter Parameter je Dimension oder ein Ausgang des Netzes; sac benutzt immer das Netz, td3 keines von beiden.</translation>
    </message>
    <message>
        <source>Squash continuous actions into their bounds with tanh instead of clipping them; sac and td3 always do.</source>
        <translation>Staucht kontinuierliche Aktionen mit tanh in ihre Grenzen, statt sie abzuschneiden; sac und td3 tun das immer.</translation>
    </message>
    <message>
        <source>Scripted player of the other seats, which swap with those of the agent from episode to episode; returns are those of the agent's seat. Empty: the agent plays all seats.</source>
        <translation>Skriptspieler auf den anderen Plätzen, die von Episode zu Episode mit denen des Agenten getauscht werden; Erträge gelten für den Platz des Agenten. Leer: der Agent spielt alle Plätze.</translation>
    </message>
    <message>
        <source>Opening</source>
        <translation>Eröffnung</translation>
    </message>
    <message>
        <source>Decisions at the beginning of an episode that are random for all seats.</source>
        <translation>Entscheidungen am Anfang einer Episode, die auf allen Plätzen zufällig sind.</translation>
    </message>
    <message>
        <source>Decisions used for learning per decision made, without those of the burn-in: optimiser steps times batch_size times sequence.</source>
        <translation>Zum Lernen benutzte Entscheidungen je getroffener Entscheidung, ohne die des Burn-ins: Schritte des Optimierers mal batch_size mal sequence.</translation>
    </message>
    <message>
        <source>Sequences per optimiser step, drawn from the replay.</source>
        <translation>Sequenzen je Schritt des Optimierers, aus dem Replay gezogen.</translation>
    </message>
    <message>
        <source>Decisions of a sequence that are used for learning.</source>
        <translation>Entscheidungen einer Sequenz, aus denen gelernt wird.</translation>
    </message>
    <message>
        <source>Burn in</source>
        <translation>Burn-in</translation>
    </message>
    <message>
        <source>Decisions before a sequence that only update the recurrent state, which older parameters computed; 0 for networks without memory.</source>
        <translation>Entscheidungen vor einer Sequenz, die nur den rekurrenten Zustand auffrischen, den ältere Parameter berechnet haben; 0 für Netze ohne Gedächtnis.</translation>
    </message>
    <message>
        <source>Stride</source>
        <translation>Versatz</translation>
    </message>
    <message>
        <source>Decisions between the beginnings of neighbouring sequences, which overlap if it is smaller than sequence. The replay stores a recurrent state every stride decisions.</source>
        <translation>Entscheidungen zwischen den Anfängen benachbarter Sequenzen; ist die Zahl kleiner als sequence, überlappen sie sich. Das Replay speichert alle stride Entscheidungen einen rekurrenten Zustand.</translation>
    </message>
    <message>
        <source>Draw sequences with large errors more often instead of all equally often.</source>
        <translation>Zieht Sequenzen mit großen Fehlern öfter, statt alle gleich oft.</translation>
    </message>
    <message>
        <source>Priority eta</source>
        <translation>Eta der Priorität</translation>
    </message>
    <message>
        <source>Share of the largest error in the priority of a sequence; the rest is the mean error.</source>
        <translation>Anteil des größten Fehlers an der Priorität einer Sequenz; der Rest ist der mittlere Fehler.</translation>
    </message>
    <message>
        <source>Rescale</source>
        <translation>Umskalieren</translation>
    </message>
    <message>
        <source>Learn values of returns that are rescaled by about their square root, so that large returns need no reward clipping.</source>
        <translation>Lernt Werte umskalierter Erträge, ungefähr ihrer Quadratwurzeln; große Erträge brauchen dann keinen Belohnungsclip.</translation>
    </message>
    <message>
        <source>Random steps</source>
        <translation>Zufällige Schritte</translation>
    </message>
    <message>
        <source>Decisions at the start that are uniformly random.</source>
        <translation>Entscheidungen am Anfang, die gleichverteilt zufällig sind.</translation>
    </message>
    <message>
        <source>Random hold</source>
        <translation>Dauer zufälliger Aktionen</translation>
    </message>
    <message>
        <source>Decisions for which each uniformly random action is repeated, so that exploration gets further (Dabney et al. 2021, "Temporally-Extended epsilon-Greedy Exploration").</source>
        <translation>So viele Entscheidungen lang wird jede gleichverteilt zufällige Aktion wiederholt, damit das Erkunden weiter reicht (Dabney et al. 2021, „Temporally-Extended epsilon-Greedy Exploration“).</translation>
    </message>
    <message>
        <source>Step size of the policy's optimiser.</source>
        <translation>Schrittweite des Optimierers der Policy.</translation>
    </message>
    <message>
        <source>Critic learning rate</source>
        <translation>Lernrate der Kritiker</translation>
    </message>
    <message>
        <source>Step size of the critics' optimiser.</source>
        <translation>Schrittweite des Optimierers der Kritiker.</translation>
    </message>
    <message>
        <source>Temperature learning rate</source>
        <translation>Lernrate der Temperatur</translation>
    </message>
    <message>
        <source>Step size of the temperature's optimiser.</source>
        <translation>Schrittweite des Optimierers der Temperatur.</translation>
    </message>
    <message>
        <source>Temperature</source>
        <translation>Temperatur</translation>
    </message>
    <message>
        <source>Weight of the entropy against the reward; 0: learned, so that the entropy is target_entropy.</source>
        <translation>Gewicht der Entropie gegenüber der Belohnung; 0: gelernt, sodass die Entropie bei target_entropy liegt.</translation>
    </message>
    <message>
        <source>learned</source>
        <translation>gelernt</translation>
    </message>
    <message>
        <source>Noise</source>
        <translation>Rauschen</translation>
    </message>
    <message>
        <source>Standard deviation of the noise on actions, as a share of half their range; 0: none.</source>
        <translation>Standardabweichung des Rauschens auf den Aktionen, als Anteil der halben Breite ihres Bereichs; 0: keines.</translation>
    </message>
    <message>
        <source>Target noise</source>
        <translation>Rauschen der Zielaktionen</translation>
    </message>
    <message>
        <source>Standard deviation of the noise on the actions of targets, as a share of half their range; 0: none.</source>
        <translation>Standardabweichung des Rauschens auf den Aktionen der Zielwerte, als Anteil der halben Breite ihres Bereichs; 0: keines.</translation>
    </message>
    <message>
        <source>Target noise clip</source>
        <translation>Rauschgrenze der Zielaktionen</translation>
    </message>
    <message>
        <source>Bound of the noise on the actions of targets.</source>
        <translation>Grenze des Rauschens auf den Aktionen der Zielwerte.</translation>
    </message>
    <message>
        <source>Policy delay</source>
        <translation>Verzögerung der Policy</translation>
    </message>
    <message>
        <source>Optimiser steps of the critics for each one of the policy and of the target networks.</source>
        <translation>Schritte des Optimierers der Kritiker je Schritt der Policy und der Zielnetze.</translation>
    </message>
    <message>
        <source>Bit flipping with DQN and hindsight</source>
        <translation>Bits kippen mit DQN und Hindsight</translation>
    </message>
    <message>
        <source>The smallest example of hindsight: goals that the agent reached by accident teach it to reach others.</source>
        <translation>Das kleinste Beispiel für Hindsight: An Zielen, die er zufällig erreicht hat, lernt der Agent, andere zu erreichen.</translation>
    </message>
    <message>
        <source>CartPole with A2C</source>
        <translation>CartPole mit A2C</translation>
    </message>
    <message>
        <source>The plainest policy gradient: one optimiser step for each rollout.</source>
        <translation>Der schlichteste Policy-Gradient: ein Schritt des Optimierers je Rollout.</translation>
    </message>
    <message>
        <source>CartPole with asynchronous PPO</source>
        <translation>CartPole mit asynchronem PPO</translation>
    </message>
    <message>
        <source>PPO whose actors never wait for the learner: advantages are corrected by V-trace.</source>
        <translation>PPO, dessen Akteure nie auf den Lerner warten: V-trace korrigiert die Advantages.</translation>
    </message>
    <message>
        <source>DeepSea 30 with an ensemble</source>
        <translation>DeepSea 30 mit einem Ensemble</translation>
    </message>
    <message>
        <source>A task that random exploration never solves: one of a billion random episodes finds the treasure.</source>
        <translation>Eine Aufgabe, die zufälliges Erkunden nie löst: Nur eine von einer Milliarde zufälliger Episoden findet den Schatz.</translation>
    </message>
    <message>
        <source>DeepSea 10, stochastic, with an ensemble</source>
        <translation>DeepSea 10, stochastisch, mit einem Ensemble</translation>
    </message>
    <message>
        <source>LunarLanderContinuous with SAC</source>
        <translation>LunarLander, stetig, mit SAC</translation>
    </message>
    <message>
        <source>A lander with continuous engines, from Gymnasium's Box2D environments. Needs the pack gymnasium.</source>
        <translation>Eine Landefähre mit stufenlosen Triebwerken, aus den Box2D-Umgebungen von Gymnasium. Braucht das Paket gymnasium.</translation>
    </message>
    <message>
        <source>not yet measured; RL Baselines3 Zoo, SAC, LunarLanderContinuous-v2, 260 +- 65 after 500,000 steps</source>
        <translation>noch nicht gemessen; RL Baselines3 Zoo, SAC, LunarLanderContinuous-v2, 260 +- 65 nach 500.000 Schritten</translation>
    </message>
    <message>
        <source>MinAtar Asterix with DQN</source>
        <translation>MinAtar Asterix mit DQN</translation>
    </message>
    <message>
        <source>MinAtar Asterix learned from a replay, with one update for every four decisions.</source>
        <translation>MinAtar Asterix, gelernt aus einem Replay, mit einem Lernschritt je vier Entscheidungen.</translation>
    </message>
    <message>
        <source>MinAtar Breakout with DQN</source>
        <translation>MinAtar Breakout mit DQN</translation>
    </message>
    <message>
        <source>MinAtar Breakout learned from a replay, with one update for every four decisions.</source>
        <translation>MinAtar Breakout, gelernt aus einem Replay, mit einem Lernschritt je vier Entscheidungen.</translation>
    </message>
    <message>
        <source>MinAtar Breakout with Rainbow</source>
        <translation>MinAtar Breakout mit Rainbow</translation>
    </message>
    <message>
        <source>All extensions of DQN together except noisy layers: prioritised, dueling, double, 3-step and distributional.</source>
        <translation>Alle Erweiterungen von DQN zusammen, außer Noisy Layers: Priorisierung, Dueling, Double Q-Learning, Erträge über 3 Schritte und Verteilungen statt Mittelwerten.</translation>
    </message>
    <message>
        <source>MinAtar Freeway with DQN</source>
        <translation>MinAtar Freeway mit DQN</translation>
    </message>
    <message>
        <source>MinAtar Freeway learned from a replay, with one update for every four decisions.</source>
        <translation>MinAtar Freeway, gelernt aus einem Replay, mit einem Lernschritt je vier Entscheidungen.</translation>
    </message>
    <message>
        <source>MinAtar Seaquest with DQN</source>
        <translation>MinAtar Seaquest mit DQN</translation>
    </message>
    <message>
        <source>MinAtar Seaquest learned from a replay, with one update for every four decisions.</source>
        <translation>MinAtar Seaquest, gelernt aus einem Replay, mit einem Lernschritt je vier Entscheidungen.</translation>
    </message>
    <message>
        <source>MinAtar Space Invaders with DQN</source>
        <translation>MinAtar Space Invaders mit DQN</translation>
    </message>
    <message>
        <source>MinAtar Space Invaders learned from a replay, with one update for every four decisions.</source>
        <translation>MinAtar Space Invaders, gelernt aus einem Replay, mit einem Lernschritt je vier Entscheidungen.</translation>
    </message>
    <message>
        <source>MountainCarContinuous with SAC</source>
        <translation>MountainCar, stetig, mit SAC</translation>
    </message>
    <message>
        <source>A sparse reward, found by random actions that each last for many steps.</source>
        <translation>Eine seltene Belohnung, gefunden durch zufällige Aktionen, die jeweils viele Schritte dauern.</translation>
    </message>
    <message>
        <source>HalfCheetah with SAC</source>
        <translation>HalfCheetah mit SAC</translation>
    </message>
    <message>
        <source>Continuous control with MuJoCo, learned from a replay. Needs the pack mujoco.</source>
        <translation>Kontinuierliche Regelung mit MuJoCo, gelernt aus einem Replay. Braucht das Paket mujoco.</translation>
    </message>
    <message>
        <source>not yet measured; CleanRL, SAC, HalfCheetah-v4, 9635 +- 1424 after 1,000,000 steps</source>
        <translation>noch nicht gemessen; CleanRL, SAC, HalfCheetah-v4, 9635 +- 1424 nach 1.000.000 Schritten</translation>
    </message>
    <message>
        <source>HalfCheetah with TD3</source>
        <translation>HalfCheetah mit TD3</translation>
    </message>
    <message>
        <source>not yet measured; CleanRL, TD3, HalfCheetah-v4, 9583 +- 126 after 1,000,000 steps</source>
        <translation>noch nicht gemessen; CleanRL, TD3, HalfCheetah-v4, 9583 +- 126 nach 1.000.000 Schritten</translation>
    </message>
    <message>
        <source>Hopper with SAC</source>
        <translation>Hopper mit SAC</translation>
    </message>
    <message>
        <source>not yet measured; CleanRL, SAC, Hopper-v4, 2310 +- 343 after 1,000,000 steps</source>
        <translation>noch nicht gemessen; CleanRL, SAC, Hopper-v4, 2310 +- 343 nach 1.000.000 Schritten</translation>
    </message>
    <message>
        <source>Walker2d with SAC</source>
        <translation>Walker2d mit SAC</translation>
    </message>
    <message>
        <source>not yet measured; CleanRL, SAC, Walker2d-v4, 3591 +- 911 after 1,000,000 steps</source>
        <translation>noch nicht gemessen; CleanRL, SAC, Walker2d-v4, 3591 +- 911 nach 1.000.000 Schritten</translation>
    </message>
    <message>
        <source>Pendulum with SAC</source>
        <translation>Pendel mit SAC</translation>
    </message>
    <message>
        <source>Continuous actions learned from a replay, with few steps of the environment.</source>
        <translation>Kontinuierliche Aktionen, gelernt aus einem Replay, mit wenigen Schritten der Umgebung.</translation>
    </message>
    <message>
        <source>Pendulum with TD3</source>
        <translation>Pendel mit TD3</translation>
    </message>
    <message>
        <source>A deterministic policy for continuous actions, learned from a replay.</source>
        <translation>Eine deterministische Policy für kontinuierliche Aktionen, gelernt aus einem Replay.</translation>
    </message>
    <message>
        <source>Point with goals</source>
        <translation>Punkt mit Zielen</translation>
    </message>
    <message>
        <source>Move a point to a goal and keep it there; no reward shows the way.</source>
        <translation>Bewege einen Punkt zu einem Ziel und halte ihn dort; keine Belohnung weist den Weg.</translation>
    </message>
    <message>
        <source>Wrapper: step ms</source>
        <translation>Hülle: Zusatzzeit je Schritt</translation>
    </message>
    <message>
        <source>Additional time of every environment step, to test how training copes with slow environments. Does not change the task.</source>
        <translation>Zusätzliche Zeit für jeden Schritt der Umgebung, um zu prüfen, wie das Training mit langsamen Umgebungen zurechtkommt. Ändert die Aufgabe nicht.</translation>
    </message>
    <message>
        <source>Maximum change of a value estimate, with popart in standard deviations; beyond it the gradient is zero. 0 disables it.</source>
        <translation>Größte Änderung eines geschätzten Werts, mit popart in Standardabweichungen; darüber ist der Gradient null. 0 schaltet die Grenze ab.</translation>
    </message>
    <message>
        <source>Popart</source>
        <translation>PopArt</translation>
    </message>
    <message>
        <source>Learn values in units of the running standard deviation of their targets, for rewards of any size (PopArt, van Hasselt et al. 2016).</source>
        <translation>Lernt Werte in Einheiten der laufenden Standardabweichung ihrer Zielwerte, für Belohnungen jeder Größe (PopArt, van Hasselt et al. 2016).</translation>
    </message>
    <message>
        <source>Popart rate</source>
        <translation>PopArt-Rate</translation>
    </message>
    <message>
        <source>Step size of the running statistics per update; the first updates take larger steps.</source>
        <translation>Schrittweite der laufenden Statistik je Lernschritt; in den ersten Lernschritten ist sie größer.</translation>
    </message>
    <message>
        <source>Echo</source>
        <translation>Echo</translation>
    </message>
    <message>
        <source>Passes over each rollout in one update, for environments that are slower than learning (data echoing, Choi et al. 2019); 0: automatic, in the async schedule: as many as fit in the time in which the environments deliver the next rollout.</source>
        <translation>Durchgänge durch jeden Rollout in einem Lernschritt, für Umgebungen, die langsamer sind als das Lernen (Data Echoing, Choi et al. 2019); 0: automatisch, beim Schedule async: so viele, wie in die Zeit passen, in der die Umgebungen den nächsten Rollout liefern.</translation>
    </message>
    <message>
        <source>automatic</source>
        <translation>automatisch</translation>
    </message>
    <message>
        <source>Speed</source>
        <translation>Tempo</translation>
    </message>
    <message>
        <source>Largest distance of a decision in each dimension; the square has sides of 2.</source>
        <translation>So weit bewegt eine Entscheidung den Punkt in jeder Dimension höchstens; das Quadrat hat die Seitenlänge 2.</translation>
    </message>
    <message>
        <source>Tolerance</source>
        <translation>Toleranz</translation>
    </message>
    <message>
        <source>Largest distance to the goal in each dimension at which it is reached.</source>
        <translation>Größter Abstand zum Ziel in jeder Dimension, bei dem es als erreicht gilt.</translation>
    </message>
    <message>
        <source>optimiser steps</source>
        <translation>Schritte des Optimierers</translation>
    </message>
    <message>
        <source>Initial temperature eta of the weights exp(advantage / eta); it is learned.</source>
        <translation>Temperatur eta der Gewichte exp(advantage / eta) am Anfang; sie wird gelernt.</translation>
    </message>
    <message>
        <source>Temperature limit</source>
        <translation>Grenze der Temperatur</translation>
    </message>
    <message>
        <source>KL limit</source>
        <translation>Grenze der KL</translation>
    </message>
    <message>
        <source>Covariance KL limit</source>
        <translation>Grenze der Kovarianz-KL</translation>
    </message>
    <message>
        <source>Target divergence of the standard deviations of continuous actions, which have their own weight.</source>
        <translation>Angestrebte Divergenz der Standardabweichungen kontinuierlicher Aktionen; sie hat ein eigenes Gewicht.</translation>
    </message>
    <message>
        <source>Multiplier rate</source>
        <translation>Rate der Multiplikatoren</translation>
    </message>
    <message>
        <source>Step size of the logarithms of temperature and weights.</source>
        <translation>Schrittweite der Logarithmen von Temperatur und Gewichten.</translation>
    </message>
    <message>
        <source>CartPole without velocities, with R2D2 and an LSTM</source>
        <translation>CartPole ohne Geschwindigkeiten, mit R2D2 und einem LSTM</translation>
    </message>
    <message>
        <source>Memory learned from a replay of sequences: velocities have to be inferred from previous positions.</source>
        <translation>Gedächtnis, gelernt aus einem Replay von Sequenzen: Geschwindigkeiten sind aus früheren Positionen zu erschließen.</translation>
    </message>
    <message>
        <source>optimal return; the score is 95 % of it</source>
        <translation>bester möglicher Ertrag; die Punktzahl ist 95 % davon</translation>
    </message>
    <message>
        <source>Self-play of two agents with one network and masked moves, scored against a search of four moves: a starting point for experiments.</source>
        <translation>Self-Play zweier Agenten mit einem Netz und maskierten Zügen, bewertet gegen eine Suche von vier Zügen: ein Ausgangspunkt für Versuche.</translation>
    </message>
    <message>
        <source>MemoryChain 100 with R2D2 and a GRU</source>
        <translation>MemoryChain 100 mit R2D2 und einem GRU</translation>
    </message>
    <message>
        <source>Remember one bit for a hundred steps, learned from a replay of sequences.</source>
        <translation>Sich ein Bit hundert Schritte lang merken, gelernt aus einem Replay von Sequenzen.</translation>
    </message>
    <message>
        <source>RL Baselines3 Zoo, SAC, MountainCarContinuous-v0 after 50,000 steps</source>
        <translation>RL Baselines3 Zoo, SAC, MountainCarContinuous-v0 nach 50.000 Schritten</translation>
    </message>
    <message>
        <source>Pendulum without velocities, with SAC and a GRU</source>
        <translation>Pendel ohne Geschwindigkeiten, mit SAC und einem GRU</translation>
    </message>
    <message>
        <source>Continuous actions and memory, learned from sequences of a replay.</source>
        <translation>Kontinuierliche Aktionen und Gedächtnis, gelernt aus Sequenzen eines Replays.</translation>
    </message>
    <message>
        <source>not yet measured; RL Baselines3 Zoo, SAC with all observations, Pendulum-v1 after 20,000 steps</source>
        <translation>noch nicht gemessen; RL Baselines3 Zoo, SAC mit allen Beobachtungen, Pendulum-v1 nach 20.000 Schritten</translation>
    </message>
    <message>
        <source>Point with goals, with SAC and hindsight</source>
        <translation>Punkt mit Zielen, mit SAC und Hindsight</translation>
    </message>
    <message>
        <source>Continuous actions with a sparse reward: goals that the agent reached by accident teach it to reach others.</source>
        <translation>Kontinuierliche Aktionen mit seltener Belohnung: An Zielen, die er zufällig erreicht hat, lernt der Agent, andere zu erreichen.</translation>
    </message>
    <message>
        <source>Self-play of two agents with one network, scored against a paddle that follows the ball: a starting point for experiments.</source>
        <translation>Self-Play zweier Agenten mit einem Netz, bewertet gegen einen Schläger, der dem Ball folgt: ein Ausgangspunkt für Versuche.</translation>
    </message>
    <message>
        <source>RepeatPrevious easy with R2D2 and an LSTM</source>
        <translation>RepeatPrevious, leicht, mit R2D2 und einem LSTM</translation>
    </message>
    <message>
        <source>Memory learned from a replay of sequences: optimal after a sixth of PPO's steps.</source>
        <translation>Gedächtnis, gelernt aus einem Replay von Sequenzen: optimal nach einem Sechstel der Schritte von PPO.</translation>
    </message>
    <message>
        <source>T-maze with R2D2 and a GRU</source>
        <translation>T-Labyrinth mit R2D2 und einem GRU</translation>
    </message>
    <message>
        <source>The classic memory test with a replay of sequences: needs a third of PPO's steps.</source>
        <translation>Die klassische Gedächtnisprobe mit einem Replay von Sequenzen: braucht ein Drittel der Schritte von PPO.</translation>
    </message>
    <message>
        <source>The Q values diverge.</source>
        <translation>Die Q-Werte divergieren.</translation>
    </message>
    <message>
        <source>the mean Q value is %1 (median of the last quarter), and no discounted return can exceed %2</source>
        <translation>der mittlere Q-Wert ist %1 (Median des letzten Viertels), und kein diskontierter Ertrag kann %2 übersteigen</translation>
    </message>
    <message>
        <source>targets follow the values that they train: a target network that changes too fast, or too high a learning rate</source>
        <translation>die Zielwerte folgen den Werten, die sie trainieren: ein Zielnetz, das sich zu schnell ändert, oder eine zu hohe Lernrate</translation>
    </message>
    <message>
        <source>a third of the learning rate</source>
        <translation>ein Drittel der Lernrate</translation>
    </message>
    <message>
        <source>The replay is used too often for its size.</source>
        <translation>Das Replay wird für seine Größe zu oft benutzt.</translation>
    </message>
    <message>
        <source>there are %1 optimiser steps for each decision, and the replay keeps only %2 decisions</source>
        <translation>auf jede Entscheidung kommen %1 Schritte des Optimierers, und das Replay behält nur %2 Entscheidungen</translation>
    </message>
    <message>
        <source>the network fits a few old decisions, whose values do not generalise to new ones</source>
        <translation>das Netz passt sich an wenige alte Entscheidungen an, deren Werte sich nicht auf neue übertragen lassen</translation>
    </message>
    <message>
        <source>a lower replay ratio, or a larger replay</source>
        <translation>ein kleineres Replay-Verhältnis oder ein größeres Replay</translation>
    </message>
    <message>
        <source>The priorities of the replay have no effect.</source>
        <translation>Die Prioritäten des Replays haben keine Wirkung.</translation>
    </message>
    <message>
        <source>The replay draws the same few decisions.</source>
        <translation>Das Replay zieht immer dieselben wenigen Entscheidungen.</translation>
    </message>
    <message>
        <source>the draws are as varied as draws from %1 % of the replay (median of the last quarter)</source>
        <translation>gezogen wird nur so vielfältig wie aus %1 % des Replays (Median des letzten Viertels)</translation>
    </message>
    <message>
        <source>errors far below 0.000001, because rewards are tiny, or algo.priority_alpha is 0</source>
        <translation>Fehler weit unter 0,000001, weil die Belohnungen winzig sind, oder algo.priority_alpha ist 0</translation>
    </message>
    <message>
        <source>a smaller exponent of the priorities</source>
        <translation>ein kleinerer Exponent der Prioritäten</translation>
    </message>
    <message>
        <source>The temperature collapsed, and the policy stopped exploring.</source>
        <translation>Die Temperatur ist eingebrochen, und die Policy erkundet nicht mehr.</translation>
    </message>
    <message>
        <source>the temperature fell from %1 to %2, and the entropy from %3 to %4 nats</source>
        <translation>die Temperatur fiel von %1 auf %2 und die Entropie von %3 auf %4 Nats</translation>
    </message>
    <message>
        <source>too low a target entropy, or a temperature that learns too fast</source>
        <translation>ein zu kleines Ziel der Entropie oder eine Temperatur, die zu schnell lernt</translation>
    </message>
    <message>
        <source>the target entropy of the preset or the default</source>
        <translation>das Ziel der Entropie aus der Voreinstellung oder der Standardwert</translation>
    </message>
    <message>
        <source>The replay ratio does not suit the size of the replay.</source>
        <translation>Das Replay-Verhältnis passt nicht zur Größe des Replays.</translation>
    </message>
    <message>
        <source>if it is too high, the network fits a few old decisions; if it is too low, it learns little from each</source>
        <translation>ein zu hoher Wert passt das Netz an wenige alte Entscheidungen an; bei einem zu niedrigen lernt es aus jeder nur wenig</translation>
    </message>
    <message>
        <source>The size of the replay does not suit the task.</source>
        <translation>Die Größe des Replays passt nicht zur Aufgabe.</translation>
    </message>
    <message>
        <source>a small replay contains similar decisions, which the network fits and then forgets</source>
        <translation>ein kleines Replay enthält ähnliche Entscheidungen: Das Netz passt sich ihnen an und vergisst sie dann wieder</translation>
    </message>
    <message>
        <source>The target network changes at the wrong pace.</source>
        <translation>Das Zielnetz ändert sich im falschen Tempo.</translation>
    </message>
    <message>
        <source>if it changes too fast, values follow themselves and diverge; if it changes too slowly, values lag behind</source>
        <translation>ändert es sich zu schnell, jagen die Werte sich selbst hinterher und divergieren; ändert es sich zu langsam, bleiben sie zurück</translation>
    </message>
    <message>
        <source>The share of random actions does not suit the task.</source>
        <translation>Der Anteil zufälliger Aktionen passt nicht zur Aufgabe.</translation>
    </message>
    <message>
        <source>too many random actions keep the agent from reaching states that it must learn about; too few do not explore</source>
        <translation>bei zu vielen zufälligen Aktionen erreicht der Agent Zustände nicht, die er kennenlernen muss; bei zu wenigen erkundet er nicht</translation>
    </message>
    <message>
        <source>Decisions used for learning per decision made: optimiser steps times batch_size times sequence.</source>
        <translation>Zum Lernen benutzte Entscheidungen je getroffene Entscheidung: Schritte des Optimierers mal batch_size mal sequence.</translation>
    </message>
    <message>
        <source>Windows per optimiser step, drawn from the replay.</source>
        <translation>Fenster je Schritt des Optimierers, aus dem Replay gezogen.</translation>
    </message>
    <message>
        <source>Decisions of a window. Returns are computed over the window and continue with a value estimate.</source>
        <translation>Entscheidungen eines Fensters. Erträge werden über das Fenster berechnet; danach zählt der geschätzte Wert.</translation>
    </message>
    <message>
        <source>Decisions between the beginnings of neighbouring windows, which overlap if it is smaller than sequence. With a recurrent network, the replay stores a state every stride decisions.</source>
        <translation>Entscheidungen zwischen den Anfängen benachbarter Fenster; sind es weniger als sequence, überlappen sich die Fenster. Bei einem rekurrenten Netz speichert das Replay alle stride Entscheidungen einen Zustand.</translation>
    </message>
    <message>
        <source>Decay of the returns' TD(lambda); 1 sums all rewards, 0 relies on the value estimate.</source>
        <translation>Abnahme für die TD(lambda)-Erträge; 1 addiert alle Belohnungen, 0 verlässt sich auf den geschätzten Wert.</translation>
    </message>
    <message>
        <source>The weight of an action is exp(advantage / temperature): low values imitate only the best actions.</source>
        <translation>Das Gewicht einer Aktion ist exp(Vorteil / temperature): Bei kleinen Werten werden nur die besten Aktionen nachgeahmt.</translation>
    </message>
    <message>
        <source>Weight maximum</source>
        <translation>Größtes Gewicht</translation>
    </message>
    <message>
        <source>Upper limit of the weights.</source>
        <translation>Obere Grenze der Gewichte.</translation>
    </message>
    <message>
        <source>Normalise the advantages of each minibatch to mean 0 and standard deviation 1, so that temperature does not depend on the size of the rewards.</source>
        <translation>Normiert die Vorteile jedes Minibatches auf Mittel 0 und Standardabweichung 1, damit temperature nicht von der Größe der Belohnungen abhängt.</translation>
    </message>
    <message>
        <source>CartPole with AWR</source>
        <translation>CartPole mit AWR</translation>
    </message>
    <message>
        <source>The simplest learner from a replay: it imitates the better actions of the past.</source>
        <translation>Das einfachste Lernen aus einem Replay: Nachgeahmt werden die besseren der früheren Aktionen.</translation>
    </message>
    <message>
        <source>CartPole with PopArt</source>
        <translation>CartPole mit PopArt</translation>
    </message>
    <message>
        <source>Rewards of any size: here they are a thousand times as large, and PopArt keeps the values in units of their spread.</source>
        <translation>Belohnungen beliebiger Größe: Hier sind sie tausendmal so groß, und PopArt misst die Werte in Einheiten ihrer Streuung.</translation>
    </message>
    <message>
        <source>CartPole with V-MPO</source>
        <translation>CartPole mit V-MPO</translation>
    </message>
    <message>
        <source>A policy that changes slowly: it imitates the better half of its own actions.</source>
        <translation>Eine Policy, die sich langsam ändert: Sie ahmt die bessere Hälfte ihrer eigenen Aktionen nach.</translation>
    </message>
    <message>
        <source>every game won against alpha_beta:4 after two random moves</source>
        <translation>jede Partie gegen alpha_beta:4 nach zwei zufälligen Zügen gewonnen</translation>
    </message>
    <message>
        <source>RL Baselines3 Zoo, SAC, Pendulum-v1 after 20,000 steps</source>
        <translation>RL Baselines3 Zoo, SAC, Pendulum-v1 nach 20.000 Schritten</translation>
    </message>
    <message>
        <source>every point won against a paddle that follows the ball</source>
        <translation>jeder Punkt gewonnen gegen einen Schläger, der dem Ball folgt</translation>
    </message>
    <message>
        <source>Scale of the fixed random function that is added to each member of an ensemble, so that members disagree where data are missing; 0: none.</source>
        <translation>Größe der festen Zufallsfunktion, die zu jedem Mitglied eines Ensembles addiert wird, damit sich die Mitglieder dort unterscheiden, wo Daten fehlen; 0: keine.</translation>
    </message>
    <message>
        <source>Share of the critics in an update of the target networks.</source>
        <translation>Anteil der Kritiker an einer Aktualisierung der Zielnetze.</translation>
    </message>
    <message>
        <source>Target entropy per dimension of the action for a learned temperature, for actions in units of [-1, 1]; uniform actions have 0.69.</source>
        <translation>Ziel der Entropie je Dimension der Aktion bei gelernter Temperatur, für Aktionen in Einheiten von [-1, 1]; gleichverteilte Aktionen haben 0,69.</translation>
    </message>
    <message>
        <source>Optimiser steps between copies of the learned policy to the acting policy.</source>
        <translation>Schritte des Optimierers, nach denen die gelernte Policy jeweils in die handelnde kopiert wird.</translation>
    </message>
    <message>
        <source>Target divergence of the weights from equal weights; the learned temperature keeps it.</source>
        <translation>Angestrebte Divergenz der Gewichte von gleichen Gewichten; die gelernte Temperatur hält sie ein.</translation>
    </message>
    <message>
        <source>Initial weight alpha of the divergence from the acting policy; it is learned.</source>
        <translation>Gewicht alpha der Divergenz von der handelnden Policy am Anfang; danach wird es gelernt.</translation>
    </message>
    <message>
        <source>Target divergence from the acting policy, which kl_cost keeps; for continuous actions, that of the means.</source>
        <translation>Angestrebte Divergenz von der handelnden Policy, bei kontinuierlichen Aktionen die der Mittelwerte; kl_cost hält sie ein.</translation>
    </message>
    <message>
        <source>Child processes exit with their worker.</source>
        <translation>Kindprozesse enden mit ihrem Arbeitsprozess.</translation>
    </message>
    <message>
        <source>a few decisions with huge errors, or algo.priority_alpha is too large</source>
        <translation>wenige Entscheidungen mit riesigen Fehlern, oder algo.priority_alpha ist zu groß</translation>
    </message>
    <message>
        <source>Rows per network call while learning; from a replay, at most half of a batch, but at least 16. Affects the result.</source>
        <translation>Zeilen je Aufruf des Netzes beim Lernen; aus einem Replay höchstens ein halber Batch, aber mindestens 16. Beeinflusst das Ergebnis.</translation>
    </message>
    <message>
        <source>Tensorboard</source>
        <translation>TensorBoard</translation>
    </message>
    <message>
        <source>Folder for TensorBoard event files, written during training; empty: none.</source>
        <translation>Ordner für die Ereignisdateien von TensorBoard, die während des Trainings entstehen; leer: keine.</translation>
    </message>
    <message>
        <source>Device that runs the networks: cpu, vulkan:N, vulkan (the first that is not software), or cuda:N if LibTorch has CUDA.</source>
        <translation>Gerät, das die Netze berechnet: cpu, vulkan:N, vulkan (das erste, das nicht nur Software ist) oder, wenn LibTorch CUDA hat, cuda:N.</translation>
    </message>
    <message>
        <source>On device failure</source>
        <translation>Bei Geräteausfall</translation>
    </message>
    <message>
        <source>If a Vulkan device fails or its memory is full: cpu: the run continues on the CPU; stop: the run ends with an error and can be resumed.</source>
        <translation>Wenn ein Vulkan-Gerät ausfällt oder sein Speicher voll ist, geht der Lauf bei cpu auf der CPU weiter; bei stop endet er mit einem Fehler und kann fortgesetzt werden.</translation>
    </message>
    <message>
        <source>Engine that runs the networks: auto, native, torch, vulkan, reference, or check:NAME, which compares NAME with reference.</source>
        <translation>Engine, die die Netze berechnet: auto, native, torch, vulkan, reference oder check:NAME, das NAME mit reference vergleicht.</translation>
    </message>
    <message>
        <source>Tic-tac-toe</source>
        <translation>Tic-Tac-Toe</translation>
    </message>
    <message>
        <source>Two players mark the cells of a small board; three in a row win.</source>
        <translation>Zwei Spieler markieren die Felder eines kleinen Bretts; drei in einer Reihe gewinnen.</translation>
    </message>
    <message>
        <source>top left</source>
        <translation>oben links</translation>
    </message>
    <message>
        <source>top centre</source>
        <translation>oben Mitte</translation>
    </message>
    <message>
        <source>top right</source>
        <translation>oben rechts</translation>
    </message>
    <message>
        <source>middle left</source>
        <translation>Mitte links</translation>
    </message>
    <message>
        <source>middle centre</source>
        <translation>Mitte</translation>
    </message>
    <message>
        <source>middle right</source>
        <translation>Mitte rechts</translation>
    </message>
    <message>
        <source>bottom left</source>
        <translation>unten links</translation>
    </message>
    <message>
        <source>bottom centre</source>
        <translation>unten Mitte</translation>
    </message>
    <message>
        <source>bottom right</source>
        <translation>unten rechts</translation>
    </message>
    <message>
        <source>Past</source>
        <translation>Frühere Versionen</translation>
    </message>
    <message>
        <source>Share of episodes against past selves, which act with earlier parameters and do not learn; the learner's seat changes from episode to episode.</source>
        <translation>Anteil der Episoden gegen frühere Versionen, die mit älteren Parametern handeln und nicht lernen; der Platz des Lerners wechselt von Episode zu Episode.</translation>
    </message>
    <message>
        <source>Choice</source>
        <translation>Auswahl</translation>
    </message>
    <message>
        <source>Pool</source>
        <translation>Pool</translation>
    </message>
    <message>
        <source>Maximum number of past selves; a new one replaces the oldest.</source>
        <translation>Höchstzahl früherer Versionen; eine neue ersetzt die älteste.</translation>
    </message>
    <message>
        <source>Every</source>
        <translation>Abstand</translation>
    </message>
    <message>
        <source>Updates between two past selves.</source>
        <translation>Lernschritte zwischen zwei früheren Versionen.</translation>
    </message>
    <message>
        <source>Scripted</source>
        <translation>Skriptspieler</translation>
    </message>
    <message>
        <source>Scripted player that is an opponent, such as random; empty: none.</source>
        <translation>Skriptspieler als Gegner, etwa random; leer: keiner.</translation>
    </message>
    <message>
        <source>Scripted share</source>
        <translation>Anteil des Skriptspielers</translation>
    </message>
    <message>
        <source>Share of episodes against the scripted player.</source>
        <translation>Anteil der Episoden gegen den Skriptspieler.</translation>
    </message>
    <message>
        <source>Connect Four by self-play against past selves</source>
        <translation>Vier gewinnt im Self-Play gegen frühere Versionen</translation>
    </message>
    <message>
        <source>Tic-tac-toe by self-play, with PPO</source>
        <translation>Tic-Tac-Toe im Self-Play, mit PPO</translation>
    </message>
    <message>
        <source>The shortest example of self-play: half of the games are against past selves. A perfect player cannot be beaten, so the best score is 0.</source>
        <translation>Das kürzeste Beispiel für Self-Play: Die Hälfte der Partien ist gegen frühere Versionen. Ein perfekter Spieler ist nicht zu schlagen; mehr als 0 ist deshalb nicht erreichbar.</translation>
    </message>
    <message>
        <source>no loss against perfect play</source>
        <translation>keine Niederlage gegen perfektes Spiel</translation>
    </message>
    <message>
        <source>Web page: watch the policy and play in a browser</source>
        <translation>Webseite: die Policy im Browser ansehen und mitspielen</translation>
    </message>
    <message>
        <source>One HTML file with the environment and the policy, which needs no network.</source>
        <translation>Eine HTML-Datei mit der Umgebung und der Policy, die kein Netz braucht.</translation>
    </message>
    <message>
        <source>Othello</source>
        <translation>Othello</translation>
    </message>
    <message>
        <source>Two players place discs and turn over those that they enclose; more discs win.</source>
        <translation>Zwei Spieler setzen Steine und drehen die um, die sie einschließen; wer mehr Steine hat, gewinnt.</translation>
    </message>
    <message>
        <source>a1</source>
        <translation>a1</translation>
    </message>
    <message>
        <source>b1</source>
        <translation>b1</translation>
    </message>
    <message>
        <source>c1</source>
        <translation>c1</translation>
    </message>
    <message>
        <source>d1</source>
        <translation>d1</translation>
    </message>
    <message>
        <source>e1</source>
        <translation>e1</translation>
    </message>
    <message>
        <source>f1</source>
        <translation>f1</translation>
    </message>
    <message>
        <source>g1</source>
        <translation>g1</translation>
    </message>
    <message>
        <source>h1</source>
        <translation>h1</translation>
    </message>
    <message>
        <source>a2</source>
        <translation>a2</translation>
    </message>
    <message>
        <source>b2</source>
        <translation>b2</translation>
    </message>
    <message>
        <source>c2</source>
        <translation>c2</translation>
    </message>
    <message>
        <source>d2</source>
        <translation>d2</translation>
    </message>
    <message>
        <source>e2</source>
        <translation>e2</translation>
    </message>
    <message>
        <source>f2</source>
        <translation>f2</translation>
    </message>
    <message>
        <source>g2</source>
        <translation>g2</translation>
    </message>
    <message>
        <source>h2</source>
        <translation>h2</translation>
    </message>
    <message>
        <source>a3</source>
        <translation>a3</translation>
    </message>
    <message>
        <source>b3</source>
        <translation>b3</translation>
    </message>
    <message>
        <source>c3</source>
        <translation>c3</translation>
    </message>
    <message>
        <source>d3</source>
        <translation>d3</translation>
    </message>
    <message>
        <source>e3</source>
        <translation>e3</translation>
    </message>
    <message>
        <source>f3</source>
        <translation>f3</translation>
    </message>
    <message>
        <source>g3</source>
        <translation>g3</translation>
    </message>
    <message>
        <source>h3</source>
        <translation>h3</translation>
    </message>
    <message>
        <source>a4</source>
        <translation>a4</translation>
    </message>
    <message>
        <source>b4</source>
        <translation>b4</translation>
    </message>
    <message>
        <source>c4</source>
        <translation>c4</translation>
    </message>
    <message>
        <source>d4</source>
        <translation>d4</translation>
    </message>
    <message>
        <source>e4</source>
        <translation>e4</translation>
    </message>
    <message>
        <source>f4</source>
        <translation>f4</translation>
    </message>
    <message>
        <source>g4</source>
        <translation>g4</translation>
    </message>
    <message>
        <source>h4</source>
        <translation>h4</translation>
    </message>
    <message>
        <source>a5</source>
        <translation>a5</translation>
    </message>
    <message>
        <source>b5</source>
        <translation>b5</translation>
    </message>
    <message>
        <source>c5</source>
        <translation>c5</translation>
    </message>
    <message>
        <source>d5</source>
        <translation>d5</translation>
    </message>
    <message>
        <source>e5</source>
        <translation>e5</translation>
    </message>
    <message>
        <source>f5</source>
        <translation>f5</translation>
    </message>
    <message>
        <source>g5</source>
        <translation>g5</translation>
    </message>
    <message>
        <source>h5</source>
        <translation>h5</translation>
    </message>
    <message>
        <source>a6</source>
        <translation>a6</translation>
    </message>
    <message>
        <source>b6</source>
        <translation>b6</translation>
    </message>
    <message>
        <source>c6</source>
        <translation>c6</translation>
    </message>
    <message>
        <source>d6</source>
        <translation>d6</translation>
    </message>
    <message>
        <source>e6</source>
        <translation>e6</translation>
    </message>
    <message>
        <source>f6</source>
        <translation>f6</translation>
    </message>
    <message>
        <source>g6</source>
        <translation>g6</translation>
    </message>
    <message>
        <source>h6</source>
        <translation>h6</translation>
    </message>
    <message>
        <source>a7</source>
        <translation>a7</translation>
    </message>
    <message>
        <source>b7</source>
        <translation>b7</translation>
    </message>
    <message>
        <source>c7</source>
        <translation>c7</translation>
    </message>
    <message>
        <source>d7</source>
        <translation>d7</translation>
    </message>
    <message>
        <source>e7</source>
        <translation>e7</translation>
    </message>
    <message>
        <source>f7</source>
        <translation>f7</translation>
    </message>
    <message>
        <source>g7</source>
        <translation>g7</translation>
    </message>
    <message>
        <source>h7</source>
        <translation>h7</translation>
    </message>
    <message>
        <source>a8</source>
        <translation>a8</translation>
    </message>
    <message>
        <source>b8</source>
        <translation>b8</translation>
    </message>
    <message>
        <source>c8</source>
        <translation>c8</translation>
    </message>
    <message>
        <source>d8</source>
        <translation>d8</translation>
    </message>
    <message>
        <source>e8</source>
        <translation>e8</translation>
    </message>
    <message>
        <source>f8</source>
        <translation>f8</translation>
    </message>
    <message>
        <source>g8</source>
        <translation>g8</translation>
    </message>
    <message>
        <source>h8</source>
        <translation>h8</translation>
    </message>
    <message>
        <source>Othello by self-play against past selves</source>
        <translation>Othello im Self-Play gegen frühere Versionen</translation>
    </message>
    <message>
        <source>A larger board than Connect Four's, on which discs change their owner. Scored against a search of two moves.</source>
        <translation>Ein größeres Brett als bei Vier gewinnt, auf dem Steine den Besitzer wechseln. Bewertet gegen eine Suche von zwei Zügen.</translation>
    </message>
    <message>
        <source>not yet measured; 0.6 is 80 % of the points against positional:2 after two random moves</source>
        <translation>noch nicht gemessen; 0,6 sind 80 % der Punkte gegen positional:2 nach zwei zufälligen Zügen</translation>
    </message>
    <message>
        <source>One hot</source>
        <translation>One-Hot</translation>
    </message>
    <message>
        <source>Observe the view as a plane of zeros and ones per type, colour and door state (OneHotPartialObsWrapper), which small networks learn from more easily.</source>
        <translation>Die Sicht als Ebenen aus Nullen und Einsen beobachten, eine je Art, Farbe und Zustand einer Tür (OneHotPartialObsWrapper); daraus lernen kleine Netze leichter.</translation>
    </message>
    <message>
        <source>Shards</source>
        <translation>Teile (Shards)</translation>
    </message>
    <message>
        <source>Blocks of neighbouring environments that every minibatch takes an equal share of, so that up to as many processes can train together (--ranks); a power of two that divides actor.num_envs. Affects the result.</source>
        <translation>Blöcke benachbarter Umgebungen, aus denen jeder Minibatch gleich viel nimmt, sodass bis zu ebenso viele Prozesse zusammen trainieren können (--ranks); eine Zweierpotenz, die actor.num_envs teilt. Beeinflusst das Ergebnis.</translation>
    </message>
    <message>
        <source>Fleet</source>
        <translation>Flotte</translation>
    </message>
    <message>
        <source>Address and port at which actors on other machines connect, such as 0.0.0.0:7450; 'seedbed fleet start' sets it. Requires run.schedule=async; empty: the environments run on this machine.</source>
        <translation>Adresse und Port, mit denen sich Akteure auf anderen Rechnern verbinden, etwa 0.0.0.0:7450; 'seedbed fleet start' setzt diesen Wert. Braucht run.schedule=async; leer: Die Umgebungen laufen auf diesem Rechner.</translation>
    </message>
    <message>
        <source>Dynamic obstacles 16x16 with PQN</source>
        <translation>Bewegte Hindernisse 16x16 mit PQN</translation>
    </message>
    <message>
        <source>Dynamic obstacles 6x6 with PQN</source>
        <translation>Bewegte Hindernisse 6x6 mit PQN</translation>
    </message>
    <message>
        <source>Dynamic obstacles 8x8 with PQN</source>
        <translation>Bewegte Hindernisse 8x8 mit PQN</translation>
    </message>
    <message>
        <source>Needs exploration, because the agent must turn back to look at the object, and a memory until the end of the hallway. With less entropy it only guesses.</source>
        <translation>Verlangt Erkundung, weil sich der Agent umdrehen muss, um den Gegenstand zu sehen, und ein Gedächtnis bis zum Ende des Flurs. Mit weniger Entropie rät er nur.</translation>
    </message>
    <message>
        <source>not yet measured; shortest path to the matching object, scored by the reward formula of MiniGrid; upper bound, since the agent must look at the object first</source>
        <translation>noch nicht gemessen; der kürzeste Weg zum passenden Gegenstand, nach der Belohnungsformel von MiniGrid; eine obere Schranke, denn der Agent muss sich zuerst den gezeigten Gegenstand ansehen</translation>
    </message>
    <message>
        <source>Pong for two players, by self-play</source>
        <translation>Pong zu zweit, im Self-Play</translation>
    </message>
    <message>
        <source>Some games are against past selves, some against a paddle that follows the ball, which also scores the agent.</source>
        <translation>Manche Spiele sind gegen frühere Versionen, manche gegen einen Schläger, der dem Ball folgt; gegen ihn wird der Agent auch bewertet.</translation>
    </message>
    <message>
        <source>Moving balls; most steps forward end the episode at first, so policy gradients learn not to move. Random actions of Q-learning keep finding the goal.</source>
        <translation>Bewegte Bälle: Anfangs beenden die meisten Schritte nach vorn die Episode, und Policy-Gradienten lernen deshalb, stehen zu bleiben. Die zufälligen Aktionen von Q-Learning finden das Ziel immer wieder.</translation>
    </message>
    <message>
        <source>Scale actions</source>
        <translation>Aktionen skalieren</translation>
    </message>
    <message>
        <source>Choose continuous actions in units of half the width of their bounds, around the middle, so that all finite bounds are learned alike; otherwise in the environment's own units.</source>
        <translation>Kontinuierliche Aktionen in Einheiten der halben Breite ihrer Grenzen wählen, um die Mitte, sodass alle endlichen Grenzen gleich gut gelernt werden; sonst in den Einheiten der Umgebung.</translation>
    </message>
    <message>
        <source>The policy's actions do not fit their bounds.</source>
        <translation>Die Aktionen der Policy passen nicht zu ihren Grenzen.</translation>
    </message>
    <message>
        <source>Actions without bounds may be far from good ones.</source>
        <translation>Aktionen ohne Grenzen können weit von guten entfernt sein.</translation>
    </message>
    <message>
        <source>a new policy chooses numbers near 0 with a deviation near 1, in the environment's units</source>
        <translation>eine neue Policy wählt Zahlen nahe 0 mit einer Abweichung nahe 1, in den Einheiten der Umgebung</translation>
    </message>
    <message>
        <source>number %1 of action '%2' is between %3 and %4</source>
        <translation>Zahl %1 der Aktion „%2“ liegt zwischen %3 und %4</translation>
    </message>
    <message>
        <source>choose actions in units of their bounds</source>
        <translation>Aktionen in Einheiten ihrer Grenzen wählen</translation>
    </message>
    <message>
        <source>number %1 of action '%2' has no finite bounds</source>
        <translation>Zahl %1 der Aktion „%2“ hat keine endlichen Grenzen</translation>
    </message>
    <message>
        <source>give the action space of the environment finite bounds</source>
        <translation>dem Aktionsraum der Umgebung endliche Grenzen geben</translation>
    </message>
    <message>
        <source>the computer runs on battery</source>
        <translation>der Computer läuft im Akkubetrieb</translation>
    </message>
    <message>
        <source>a game is running</source>
        <translation>ein Spiel läuft</translation>
    </message>
    <message>
        <source>the program %1 is running</source>
        <translation>das Programm %1 läuft</translation>
    </message>
    <message>
        <source>less than %1 MB of memory is free</source>
        <translation>weniger als %1 MB Arbeitsspeicher sind frei</translation>
    </message>
    <message>
        <source>less than %1 MB is free on the disk of the data folder</source>
        <translation>weniger als %1 MB sind auf dem Datenträger des Datenordners frei</translation>
    </message>
    <message>
        <source>Devices that share the groups, separated by commas, one thread each; empty: run.device, twice unless it is the CPU, so that it computes one batch while another is transferred.</source>
        <translation>Geräte, die sich die Gruppen teilen, durch Kommas getrennt, mit je einem Thread; leer: run.device, und zwar doppelt, wenn es nicht die CPU ist, damit es einen Batch berechnet, während ein anderer übertragen wird.</translation>
    </message>
    <message>
        <source>Fleet form</source>
        <translation>Form der Flotte</translation>
    </message>
    <message>
        <source>Choice of the actions in a fleet. actions: by the learner, in a round trip per step; windows: by the actors, with copies of the parameters that are a few updates old (IMPALA), for slow links; auto: measured when an actor connects.</source>
        <translation>Wahl der Aktionen in einer Flotte. actions: durch den Lerner, mit einer Nachricht hin und zurück je Schritt; windows: durch die Akteure, mit Kopien der Parameter, die einige Aktualisierungen alt sind (IMPALA), für langsame Verbindungen; auto: gemessen, wenn sich ein Akteur verbindet.</translation>
    </message>
    <message>
        <source>How a past self is chosen: prioritised: more often the less the learner wins against it; uniform: each with the same probability; newest: the last one. Rivals are chosen like past selves, with newest: uniformly.</source>
        <translation>Wie eine frühere Version ausgewählt wird: prioritised: umso öfter, je seltener der Lerner gegen sie gewinnt; uniform: alle gleich wahrscheinlich; newest: die neueste. Rivalen werden ebenso ausgewählt, bei newest aber alle gleich wahrscheinlich.</translation>
    </message>
    <message>
        <source>Rivals</source>
        <translation>Rivalen</translation>
    </message>
    <message>
        <source>Policies that are opponents and do not change, separated by commas: RUN, RUN:best, RUN:STEP, league:LEAGUE/MEMBER or a folder; their network must be that of this run.</source>
        <translation>Gegner, deren Policy sich nicht ändert, durch Kommas getrennt: LAUF, LAUF:best, LAUF:SCHRITT, league:LIGA/MITGLIED oder ein Ordner; ihr Netz muss dem dieses Laufs gleichen.</translation>
    </message>
    <message>
        <source>Rival share</source>
        <translation>Anteil der Rivalen</translation>
    </message>
    <message>
        <source>Share of episodes against rivals.</source>
        <translation>Anteil der Episoden gegen Rivalen.</translation>
    </message>
    <message>
        <source>Deep sea</source>
        <translation>Tiefsee</translation>
    </message>
    <message>
        <source>Deep sea, stochastic</source>
        <translation>Tiefsee, stochastisch</translation>
    </message>
    <message>
        <source>Memory chain</source>
        <translation>Erinnerungskette</translation>
    </message>
    <message>
        <source>Asterix</source>
        <translation>Asterix</translation>
    </message>
    <message>
        <source>Breakout</source>
        <translation>Breakout</translation>
    </message>
    <message>
        <source>Freeway</source>
        <translation>Freeway</translation>
    </message>
    <message>
        <source>Seaquest</source>
        <translation>Seaquest</translation>
    </message>
    <message>
        <source>Space Invaders</source>
        <translation>Space Invaders</translation>
    </message>
    <message>
        <source>Door and key, 16x16</source>
        <translation>Tür und Schlüssel, 16x16</translation>
    </message>
    <message>
        <source>Door and key, 5x5</source>
        <translation>Tür und Schlüssel, 5x5</translation>
    </message>
    <message>
        <source>Door and key, 6x6</source>
        <translation>Tür und Schlüssel, 6x6</translation>
    </message>
    <message>
        <source>Door and key, 8x8</source>
        <translation>Tür und Schlüssel, 8x8</translation>
    </message>
    <message>
        <source>Moving balls, 16x16</source>
        <translation>Bewegte Bälle, 16x16</translation>
    </message>
    <message>
        <source>Moving balls, 5x5</source>
        <translation>Bewegte Bälle, 5x5</translation>
    </message>
    <message>
        <source>Moving balls, 6x6</source>
        <translation>Bewegte Bälle, 6x6</translation>
    </message>
    <message>
        <source>Moving balls, 8x8</source>
        <translation>Bewegte Bälle, 8x8</translation>
    </message>
    <message>
        <source>Moving balls, 5x5, random start</source>
        <translation>Bewegte Bälle, 5x5, zufälliger Start</translation>
    </message>
    <message>
        <source>Moving balls, 6x6, random start</source>
        <translation>Bewegte Bälle, 6x6, zufälliger Start</translation>
    </message>
    <message>
        <source>Empty room, 16x16</source>
        <translation>Leerer Raum, 16x16</translation>
    </message>
    <message>
        <source>Empty room, 5x5</source>
        <translation>Leerer Raum, 5x5</translation>
    </message>
    <message>
        <source>Empty room, 6x6</source>
        <translation>Leerer Raum, 6x6</translation>
    </message>
    <message>
        <source>Empty room, 8x8</source>
        <translation>Leerer Raum, 8x8</translation>
    </message>
    <message>
        <source>Empty room, 5x5, random start</source>
        <translation>Leerer Raum, 5x5, zufälliger Start</translation>
    </message>
    <message>
        <source>Empty room, 6x6, random start</source>
        <translation>Leerer Raum, 6x6, zufälliger Start</translation>
    </message>
    <message>
        <source>Four rooms</source>
        <translation>Vier Räume</translation>
    </message>
    <message>
        <source>Lava crossing, 11x11, 5 rivers</source>
        <translation>Lavaflüsse, 11x11, 5 Flüsse</translation>
    </message>
    <message>
        <source>Lava crossing, 9x9, 1 river</source>
        <translation>Lavaflüsse, 9x9, 1 Fluss</translation>
    </message>
    <message>
        <source>Lava crossing, 9x9, 2 rivers</source>
        <translation>Lavaflüsse, 9x9, 2 Flüsse</translation>
    </message>
    <message>
        <source>Lava crossing, 9x9, 3 rivers</source>
        <translation>Lavaflüsse, 9x9, 3 Flüsse</translation>
    </message>
    <message>
        <source>Memory hallway, 11x11</source>
        <translation>Erinnerungsflur, 11x11</translation>
    </message>
    <message>
        <source>Memory hallway, 13x13</source>
        <translation>Erinnerungsflur, 13x13</translation>
    </message>
    <message>
        <source>Memory hallway, 13x13, random length</source>
        <translation>Erinnerungsflur, 13x13, zufällige Länge</translation>
    </message>
    <message>
        <source>Memory hallway, 17x17, random length</source>
        <translation>Erinnerungsflur, 17x17, zufällige Länge</translation>
    </message>
    <message>
        <source>Memory hallway, 7x7</source>
        <translation>Erinnerungsflur, 7x7</translation>
    </message>
    <message>
        <source>Memory hallway, 9x9</source>
        <translation>Erinnerungsflur, 9x9</translation>
    </message>
    <message>
        <source>Mountain car</source>
        <translation>Auto am Berg</translation>
    </message>
    <message>
        <source>Mountain car, continuous</source>
        <translation>Auto am Berg, stetig</translation>
    </message>
    <message>
        <source>First card, easy</source>
        <translation>Erste Karte, leicht</translation>
    </message>
    <message>
        <source>First card, hard</source>
        <translation>Erste Karte, schwer</translation>
    </message>
    <message>
        <source>First card, medium</source>
        <translation>Erste Karte, mittel</translation>
    </message>
    <message>
        <source>Earlier card, easy</source>
        <translation>Frühere Karte, leicht</translation>
    </message>
    <message>
        <source>Earlier card, hard</source>
        <translation>Frühere Karte, schwer</translation>
    </message>
    <message>
        <source>Earlier card, medium</source>
        <translation>Frühere Karte, mittel</translation>
    </message>
    <message>
        <source>Simple tag</source>
        <translation>Fangen</translation>
    </message>
    <message>
        <source>Three adversaries try to touch a faster prey, which runs away from them.</source>
        <translation>Drei Verfolger versuchen eine schnellere Beute zu berühren, die vor ihnen flieht.</translation>
    </message>
    <message>
        <source>Simple tag with one network for all, with PPO</source>
        <translation>Fangen mit einem Netz für alle, mit PPO</translation>
    </message>
    <message>
        <source>Four agents in two roles that share one network, which observes the role. Scored in all seats with and against scripted players: a starting point for experiments.</source>
        <translation>Vier Agenten in zwei Rollen teilen sich ein Netz, das die Rolle beobachtet. Bewertet auf allen Plätzen mit und gegen Skriptspieler: ein Ausgangspunkt für Versuche.</translation>
    </message>
    <message>
        <source>as good as the scripted player in the same seats; random actions score -10.6</source>
        <translation>so gut wie der Skriptspieler auf denselben Plätzen; zufällige Aktionen erreichen -10,6</translation>
    </message>
    <message>
        <source>Wrapper: central critic</source>
        <translation>Hülle: zentraler Kritiker</translation>
    </message>
    <message>
        <source>For several agents: the value estimate also sees what the other agents observe (MAPPO); actions depend on the agent's own observations only.</source>
        <translation>Für mehrere Agenten: Die Wertschätzung sieht auch, was die anderen Agenten beobachten (MAPPO); Aktionen hängen nur von den eigenen Beobachtungen des Agenten ab.</translation>
    </message>
    <message>
        <source>Dive to the far corner although some steps fail and the rewards there vary.</source>
        <translation>Tauche in die ferne Ecke, obwohl manche Schritte misslingen und die Belohnungen dort schwanken.</translation>
    </message>
    <message>
        <source>Two agents send the ball past each other's paddle.</source>
        <translation>Zwei Agenten spielen den Ball am Schläger des anderen vorbei.</translation>
    </message>
    <message>
        <source>Send the ball past a scripted paddle that follows it.</source>
        <translation>Spiele den Ball an einem Schläger vorbei, der ihm nach einem Skript folgt.</translation>
    </message>
    <message>
        <source>Send the ball past a scripted paddle that follows it; observations are images of 84 x 84 pixels.</source>
        <translation>Spiele den Ball an einem Schläger vorbei, der ihm nach einem Skript folgt; beobachtet werden Bilder aus 84 x 84 Pixeln.</translation>
    </message>
    <message>
        <source>Answer with the suit of the first of 52 cards, at every step.</source>
        <translation>Antworte in jedem Schritt mit der Farbe der ersten von 52 Karten.</translation>
    </message>
    <message>
        <source>Answer with the suit of the first of 832 cards, at every step.</source>
        <translation>Antworte in jedem Schritt mit der Farbe der ersten von 832 Karten.</translation>
    </message>
    <message>
        <source>Seats</source>
        <translation>Plätze</translation>
    </message>
    <message>
        <source>The policy of each seat, separated by commas, such as pursuer,pursuer,evader: seats with the same name share a policy, which learns from their decisions only; at most 8 policies. Empty: one policy plays all seats.</source>
        <translation>Die Policy jedes Platzes, durch Kommas getrennt, zum Beispiel pursuer,pursuer,evader: Plätze mit demselben Namen teilen sich eine Policy, die nur aus deren Entscheidungen lernt; höchstens 8 Policies. Leer: eine Policy spielt alle Plätze.</translation>
    </message>
    <message>
        <source>Answer with the suit of the first of 416 cards, at every step.</source>
        <translation>Antworte in jedem Schritt mit der Farbe der ersten von 416 Karten.</translation>
    </message>
    <message>
        <source>Skip forced</source>
        <translation>Erzwungene auslassen</translation>
    </message>
    <message>
        <source>Do not learn from rows in which the mask allows one action only, such as waiting for the opponent's move; values are then those of an agent's own decisions.</source>
        <translation>Nicht aus Zeilen lernen, in denen die Maske nur eine Aktion erlaubt, zum Beispiel auf den Zug des Gegners zu warten; Werte sind dann die der eigenen Entscheidungen eines Agenten.</translation>
    </message>
    <message>
        <source>Random decisions of all seats at the start of an episode, which do not teach: their number is drawn from 0 to this one, so that the learner meets many positions.</source>
        <translation>Zufällige Entscheidungen aller Plätze am Anfang einer Episode, aus denen nicht gelernt wird: Ihre Anzahl wird von 0 bis zu dieser ausgelost, damit der Lerner viele Stellungen sieht.</translation>
    </message>
    <message>
        <source>Half of the games are against past selves, and games begin with random moves, so that the agent meets many positions. Scored against a search of four moves.</source>
        <translation>Die Hälfte der Partien ist gegen frühere Versionen, und Partien beginnen mit zufälligen Zügen, damit der Agent viele Stellungen sieht. Bewertet gegen eine Suche von vier Zügen.</translation>
    </message>
    <message>
        <source>same as run.threads</source>
        <translation>wie run.threads</translation>
    </message>
    <message>
        <source>80 % of the points against alpha_beta:4 after two random moves</source>
        <translation>80 % der Punkte gegen alpha_beta:4 nach zwei zufälligen Zügen</translation>
    </message>
</context>
<context>
    <name>main</name>
    <message>
        <source>Graphical interface of Seedbed: train, watch and compare agents.</source>
        <translation>Das Fenster von Seedbed: Agenten trainieren, ihnen zusehen und sie vergleichen.</translation>
    </message>
    <message>
        <source>Data folder (default: in the XDG data folder).</source>
        <translation>Datenordner (Standard: im XDG-Datenordner).</translation>
    </message>
    <message>
        <source>Ignore the stored window state and leave it unchanged.</source>
        <translation>Den gespeicherten Zustand des Fensters nicht beachten und nicht ändern.</translation>
    </message>
    <message>
        <source>A recorded game to show ('seedbed play --record'), or exported weights (*.safetensors) to import.</source>
        <translation>Ein aufgezeichnetes Spiel zum Ansehen (seedbed play --record) oder exportierte Gewichte (*.safetensors) zum Importieren.</translation>
    </message>
</context>
<context>
    <name>seedbed::ui::AddMembersDialog</name>
    <message>
        <source>Add members to “%1”</source>
        <translation>Mitglieder zu „%1“ hinzufügen</translation>
    </message>
    <message>
        <source>Check the players to add. The policy of a run is copied, so the member stays as it is when the run continues or is removed. Version of a run: “best”, a step, or empty for the newest checkpoint.</source>
        <translation>Hake die Spieler an, die hinzukommen. Die Policy eines Laufs wird kopiert; das Mitglied bleibt, wie es ist, wenn der Lauf weitergeht oder entfernt wird. Version eines Laufs: „best“, ein Schritt oder leer für den neuesten Speicherstand.</translation>
    </message>
    <message>
        <source>Players</source>
        <translation>Spieler</translation>
    </message>
    <message>
        <source>Player</source>
        <translation>Spieler</translation>
    </message>
    <message>
        <source>Version or strength</source>
        <translation>Version oder Stärke</translation>
    </message>
    <message>
        <source>Description</source>
        <translation>Beschreibung</translation>
    </message>
    <message>
        <source>%1: %2 to %3.</source>
        <comment>name of a parameter and its range</comment>
        <translation>%1: %2 bis %3.</translation>
    </message>
    <message>
        <source>Add the checked players</source>
        <translation>Angehakte Spieler hinzufügen</translation>
    </message>
    <message>
        <source>%1: %2, %3 steps</source>
        <translation>%1: %2, %3 Schritte</translation>
    </message>
</context>
<context>
    <name>seedbed::ui::AgentStage</name>
    <message>
        <source>Loo&amp;k closer</source>
        <translation>Ge&amp;nauer ansehen</translation>
    </message>
    <message>
        <source>Watch this agent: step by step, in up to 64 games, with what it sees</source>
        <translation>Diesem Agenten zusehen: Schritt für Schritt, in bis zu 64 Spielen, mit dem, was er sieht</translation>
    </message>
    <message>
        <source>The agent appears in a moment…</source>
        <translation>Der Agent erscheint gleich …</translation>
    </message>
    <message>
        <source>The agent appears when the run starts.</source>
        <translation>Der Agent erscheint, wenn der Lauf beginnt.</translation>
    </message>
    <message>
        <source>Play again</source>
        <translation>Noch einmal spielen</translation>
    </message>
    <message>
        <source>Play</source>
        <translation>Spielen</translation>
    </message>
    <message>
        <source>Pause the game</source>
        <translation>Spiel anhalten</translation>
    </message>
    <message>
        <source>live · weights of step %1</source>
        <translation>live · Gewichte von Schritt %1</translation>
    </message>
    <message>
        <source>weights of step %1</source>
        <translation>Gewichte von Schritt %1</translation>
    </message>
</context>
<context>
    <name>seedbed::ui::AxisMarks</name>
    <message>
        <source>resumed</source>
        <translation>fortgesetzt</translation>
    </message>
    <message>
        <source>goal %1</source>
        <translation>Ziel %1</translation>
    </message>
    <message>
        <source>random play %1</source>
        <translation>Zufall %1</translation>
    </message>
</context>
<context>
    <name>seedbed::ui::BarStack</name>
    <message numerus="yes">
        <source>%n older message(s)</source>
        <translation>
            <numerusform>%n ältere Meldung dahinter</numerusform>
            <numerusform>%n ältere Meldungen dahinter</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>seedbed::ui::Bell</name>
    <message numerus="yes">
        <source>%n new notification(s)</source>
        <translation>
            <numerusform>%n neue Benachrichtigung</numerusform>
            <numerusform>%n neue Benachrichtigungen</numerusform>
        </translation>
    </message>
    <message>
        <source>Notifications</source>
        <translation>Benachrichtigungen</translation>
    </message>
    <message>
        <source>Nothing has happened yet</source>
        <translation>Noch ist nichts geschehen</translation>
    </message>
</context>
<context>
    <name>seedbed::ui::BottleneckStrip</name>
    <message>
        <source>inference</source>
        <translation>Inferenz</translation>
    </message>
    <message>
        <source>learning</source>
        <translation>Lernen</translation>
    </message>
    <message>
        <source>waiting</source>
        <translation>Warten</translation>
    </message>
    <message>
        <source>Where the time goes</source>
        <translation>Wohin die Zeit geht</translation>
    </message>
    <message numerus="yes">
        <source>Shares of the threads' time over the newest %n updates: </source>
        <translation>
            <numerusform>Anteile an der Zeit der Threads im letzten Lernschritt: </numerusform>
            <numerusform>Anteile an der Zeit der Threads in den letzten %n Lernschritten: </numerusform>
        </translation>
    </message>
    <message>
        <source>Not measured yet</source>
        <translation>Noch nicht gemessen</translation>
    </message>
    <message>
        <source>environments</source>
        <translation>Umgebungen</translation>
    </message>
    <message>
        <source>other</source>
        <comment>a share of time</comment>
        <translation>Sonstiges</translation>
    </message>
</context>
<context>
    <name>seedbed::ui::Catalogue</name>
    <message>
        <source>less than 1 s</source>
        <translation>weniger als 1 s</translation>
    </message>
    <message>
        <source>%1 s</source>
        <translation>%1 s</translation>
    </message>
    <message>
        <source>%1 min</source>
        <translation>%1 min</translation>
    </message>
    <message>
        <source>%1 h</source>
        <translation>%1 h</translation>
    </message>
    <message>
        <source>%1 days</source>
        <translation>%1 Tage</translation>
    </message>
    <message>
        <source>up to %1</source>
        <translation>bis zu %1</translation>
    </message>
    <message>
        <source>about %1</source>
        <translation>etwa %1</translation>
    </message>
    <message>
        <source>%1 to %2</source>
        <comment>a span of time</comment>
        <translation>%1 bis %2</translation>
    </message>
</context>
<context>
    <name>seedbed::ui::ChartBoard</name>
    <message>
        <source>Charts</source>
        <translation>Diagramme</translation>
    </message>
    <message>
        <source>Loading the run…</source>
        <translation>Der Lauf wird geladen …</translation>
    </message>
    <message>
        <source>No values yet: they appear after the first update.</source>
        <translation>Noch keine Werte: Die ersten kommen mit dem ersten Lernschritt.</translation>
    </message>
    <message>
        <source>Move &amp;earlier</source>
        <translation>Nach &amp;vorn</translation>
    </message>
    <message>
        <source>Move &amp;later</source>
        <translation>Nach &amp;hinten</translation>
    </message>
    <message>
        <source>&amp;Remove chart</source>
        <translation>Diagramm &amp;entfernen</translation>
    </message>
    <message>
        <source>&amp;Logarithmic values</source>
        <translation>&amp;Logarithmische Werte</translation>
    </message>
    <message>
        <source>training episodes</source>
        <translation>Trainingsepisoden</translation>
    </message>
    <message>
        <source>evaluations</source>
        <translation>Auswertungen</translation>
    </message>
    <message>
        <source>evaluated: %1</source>
        <translation>ausgewertet: %1</translation>
    </message>
    <message>
        <source>checkpoint at step %1</source>
        <translation>Speicherstand von Schritt %1</translation>
    </message>
    <message>
        <source>resumed %1</source>
        <translation>fortgesetzt %1</translation>
    </message>
    <message>
        <source>Return</source>
        <translation>Ertrag</translation>
    </message>
    <message>
        <source>Losses</source>
        <translation>Verluste</translation>
    </message>
    <message>
        <source>Add chart</source>
        <translation>Diagramm hinzufügen</translation>
    </message>
    <message>
        <source>Remove chart</source>
        <translation>Diagramm entfernen</translation>
    </message>
    <message>
        <source>Move chart</source>
        <translation>Diagramm verschieben</translation>
    </message>
    <message>
        <source>Restore the default charts</source>
        <translation>Die üblichen Diagramme zurückholen</translation>
    </message>
    <message>
        <source>seed %1</source>
        <translation>Seed %1</translation>
    </message>
    <message>
        <source>solved at %1</source>
        <translation>gelöst bei %1</translation>
    </message>
</context>
<context>
    <name>seedbed::ui::ChartControls</name>
    <message>
        <source>&amp;X axis</source>
        <translation>&amp;x-Achse</translation>
    </message>
    <message>
        <source>None</source>
        <translation>Keine</translation>
    </message>
    <message>
        <source>EMA (time-weighted)</source>
        <translation>EMA, nach Abstand</translation>
    </message>
    <message>
        <source>EMA (TensorBoard)</source>
        <translation>EMA, wie TensorBoard</translation>
    </message>
    <message>
        <source>Gaussian</source>
        <translation>Gauß</translation>
    </message>
    <message>
        <source>Running mean</source>
        <translation>Gleitendes Mittel</translation>
    </message>
    <message>
        <source>Running median</source>
        <translation>Gleitender Median</translation>
    </message>
    <message>
        <source>Smoothing uses all points regardless of zoom; the raw line is shown behind the smoothed one</source>
        <translation>Geglättet wird aus allen Punkten, gleich welcher Ausschnitt zu sehen ist; die rohe Linie bleibt dahinter</translation>
    </message>
    <message>
        <source>S&amp;moothing</source>
        <translation>&amp;Glättung</translation>
    </message>
    <message>
        <source>Amount of smoothing</source>
        <translation>Stärke der Glättung</translation>
    </message>
    <message>
        <source>Log x</source>
        <translation>log x</translation>
    </message>
    <message>
        <source>Log y</source>
        <translation>log y</translation>
    </message>
    <message>
        <source>95 % bands</source>
        <translation>95-%-Bänder</translation>
    </message>
    <message>
        <source>over %1</source>
        <translation>über %1</translation>
    </message>
    <message>
        <source>over %1 steps</source>
        <translation>über %1 Schritte</translation>
    </message>
    <message>
        <source>over %1 updates</source>
        <translation>über %1 Lernschritte</translation>
    </message>
    <message>
        <source>over %1 episodes</source>
        <translation>über %1 Episoden</translation>
    </message>
    <message>
        <source>all</source>
        <translation>alle</translation>
    </message>
    <message>
        <source>&amp;From</source>
        <translation>&amp;Von</translation>
    </message>
    <message>
        <source>Smallest x of the included points</source>
        <translation>Kleinstes x der Punkte, die mitzählen</translation>
    </message>
    <message>
        <source>t&amp;o</source>
        <translation>b&amp;is</translation>
    </message>
    <message>
        <source>Largest x of the included points</source>
        <translation>Größtes x der Punkte, die mitzählen</translation>
    </message>
    <message>
        <source>Enter two numbers, the smaller one first, such as 20k and 1.5M. The range was not changed.</source>
        <translation>Zwei Zahlen, die kleinere zuerst, etwa 20k und 1.5M; mit diesen bleibt alles, wie es war.</translation>
    </message>
    <message>
        <source>Only points in this range of the x axis are used for curves, smoothing, bands, tables and files, unlike when zooming. Enter numbers such as 20k, 1.5M or 1e6; on time axes also 90 s, 5 min, 2 h.</source>
        <translation>Nur Punkte zwischen diesen Werten der x-Achse zählen mit: in Kurven, Glättung, Bändern, Tabellen und Dateien. Vergrößern bewirkt das nicht. Zahlen wie 20k, 1.5M oder 1e6; auf Zeitachsen auch 90 s, 5 min, 2 h.</translation>
    </message>
</context>
<context>
    <name>seedbed::ui::ChartLegend</name>
    <message>
        <source>Legend</source>
        <translation>Legende</translation>
    </message>
    <message>
        <source> (no values)</source>
        <translation> (keine Werte)</translation>
    </message>
</context>
<context>
    <name>seedbed::ui::ChartPlot</name>
    <message>
        <source>%1 s</source>
        <translation>%1 s</translation>
    </message>
    <message>
        <source>%1 min</source>
        <translation>%1 min</translation>
    </message>
    <message>
        <source>%1 h</source>
        <translation>%1 h</translation>
    </message>
    <message>
        <source> (smoothed %1)</source>
        <translation> (geglättet %1)</translation>
    </message>
    <message numerus="yes">
        <source>and %n more</source>
        <translation>
            <numerusform>und %n weitere</numerusform>
            <numerusform>und %n weitere</numerusform>
        </translation>
    </message>
    <message>
        <source>TensorBoard EMA, weight %1</source>
        <translation>EMA wie TensorBoard, Gewicht %1</translation>
    </message>
    <message>
        <source>time-weighted EMA, %1 %2</source>
        <translation>EMA nach Abstand, %1 %2</translation>
    </message>
    <message>
        <source>Gaussian, %1 %2</source>
        <translation>Gauß, %1 %2</translation>
    </message>
    <message>
        <source>running mean, %1 %2</source>
        <translation>gleitendes Mittel, %1 %2</translation>
    </message>
    <message>
        <source>running median, %1 %2</source>
        <translation>gleitender Median, %1 %2</translation>
    </message>
    <message>
        <source>Lines: interquartile mean over the runs (mean for fewer than 4 runs).</source>
        <translation>Linien: Interquartilmittel der Läufe ab n = 4, sonst ihr Mittel.</translation>
    </message>
    <message>
        <source>Bands: 95 % bootstrap interval over the runs.</source>
        <translation>Bänder: 95-%-Bootstrap-Intervall über die Läufe.</translation>
    </message>
    <message>
        <source>Smoothed (%1); faint lines are not smoothed.</source>
        <translation>Geglättet (%1); die blassen Linien nicht.</translation>
    </message>
    <message>
        <source>Only points from %1 to %2.</source>
        <translation>Nur Punkte von %1 bis %2.</translation>
    </message>
</context>
<context>
    <name>seedbed::ui::ChartTableModel</name>
    <message>
        <source>Series</source>
        <translation>Reihe</translation>
    </message>
    <message>
        <source>Step</source>
        <translation>Schritt</translation>
    </message>
    <message>
        <source>Value</source>
        <translation>Wert</translation>
    </message>
    <message>
        <source>Smoothed</source>
        <translation>Geglättet</translation>
    </message>
    <message>
        <source>95 % low</source>
        <translation>95 % unten</translation>
    </message>
    <message>
        <source>95 % high</source>
        <translation>95 % oben</translation>
    </message>
    <message>
        <source>Runs</source>
        <translation>Läufe</translation>
    </message>
    <message>
        <source>%1 has no values yet. </source>
        <translation>%1 hat noch keine Werte. </translation>
    </message>
    <message>
        <source>is</source>
        <translation>ist</translation>
    </message>
    <message>
        <source>varied and returned to</source>
        <translation>ging auf und ab und ist wieder bei</translation>
    </message>
    <message>
        <source>rose from %1 to</source>
        <translation>stieg von %1 auf</translation>
    </message>
    <message>
        <source>fell from %1 to</source>
        <translation>fiel von %1 auf</translation>
    </message>
    <message>
        <source>%1 %2 %3 at %4 %5; lowest %6, highest %7. </source>
        <translation>%1 %2 %3 bei %4 %5; niedrigster Wert %6, höchster %7. </translation>
    </message>
    <message numerus="yes">
        <source>And %n more series.</source>
        <translation>
            <numerusform>Und %n weitere Reihe.</numerusform>
            <numerusform>Und %n weitere Reihen.</numerusform>
        </translation>
    </message>
    <message>
        <source>No series.</source>
        <translation>Keine Reihen.</translation>
    </message>
    <message numerus="yes">
        <source>Band: 95 % bootstrap interval over %n run(s).</source>
        <translation>
            <numerusform>Band: 95-%-Bootstrap-Intervall über %n Lauf.</numerusform>
            <numerusform>Band: 95-%-Bootstrap-Intervall über %n Läufe.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>A band over %n run(s) is too narrow: it contains the true centre in about %1 of 100 cases instead of 95.</source>
        <translation>
            <numerusform>Ein Band über %n Lauf ist zu schmal: es enthält die wahre Mitte in etwa %1 von 100 Fällen, nicht in 95.</numerusform>
            <numerusform>Ein Band über %n Läufe ist zu schmal: es enthält die wahre Mitte in etwa %1 von 100 Fällen, nicht in 95.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>seedbed::ui::ChartWidget</name>
    <message>
        <source>Show as &amp;table</source>
        <translation>Als &amp;Tabelle zeigen</translation>
    </message>
    <message>
        <source>Show &amp;all</source>
        <translation>&amp;Alles zeigen</translation>
    </message>
    <message>
        <source>Save as &amp;PNG…</source>
        <translation>Als &amp;PNG speichern …</translation>
    </message>
    <message>
        <source>Save as &amp;SVG…</source>
        <translation>Als &amp;SVG speichern …</translation>
    </message>
    <message>
        <source>Save all points as &amp;CSV…</source>
        <translation>Alle Punkte als &amp;CSV speichern …</translation>
    </message>
    <message>
        <source>Save statistics as &amp;Markdown…</source>
        <translation>Statistik als &amp;Markdown speichern …</translation>
    </message>
    <message>
        <source>Chart: %1</source>
        <translation>Diagramm: %1</translation>
    </message>
    <message>
        <source>Table of the chart: %1</source>
        <translation>Tabelle des Diagramms: %1</translation>
    </message>
    <message>
        <source>Legend: %1</source>
        <translation>Legende: %1</translation>
    </message>
    <message>
        <source>Menu of the chart: %1</source>
        <translation>Menü des Diagramms: %1</translation>
    </message>
    <message>
        <source>All values are NaN (not a number)</source>
        <translation>Alle Werte sind keine Zahlen (NaN)</translation>
    </message>
    <message>
        <source>No values yet</source>
        <translation>Noch keine Werte</translation>
    </message>
    <message>
        <source>Save chart</source>
        <translation>Diagramm speichern</translation>
    </message>
    <message>
        <source>Saved %1</source>
        <translation>%1 gespeichert</translation>
    </message>
    <message>
        <source>%1, step %2: %3</source>
        <translation>%1, Schritt %2: %3</translation>
    </message>
    <message>
        <source>Watch the agent at this step</source>
        <translation>Dem Agenten dieses Augenblicks zusehen</translation>
    </message>
    <message>
        <source>Show this run</source>
        <translation>Diesen Lauf zeigen</translation>
    </message>
    <message>
        <source>Watch the agent at this step (no checkpoint is stored)</source>
        <translation>Dem Agenten dieses Augenblicks zusehen (kein Speicherstand aufgehoben)</translation>
    </message>
    <message>
        <source>Watch the agent at this step (checkpoint at step %1)</source>
        <translation>Dem Agenten dieses Augenblicks zusehen (Speicherstand von Schritt %1)</translation>
    </message>
    <message>
        <source>A logarithmic axis cannot show these values: none is positive</source>
        <translation>Eine logarithmische Achse kann diese Werte nicht zeigen: Keiner ist positiv</translation>
    </message>
    <message>
        <source>No runs selected</source>
        <translation>Keine Läufe ausgewählt</translation>
    </message>
    <message>
        <source>Save as PD&amp;F…</source>
        <translation>Als PD&amp;F speichern…</translation>
    </message>
</context>
<context>
    <name>seedbed::ui::CheckpointList</name>
    <message>
        <source>Step</source>
        <translation>Schritt</translation>
    </message>
    <message>
        <source>Score</source>
        <translation>Punktzahl</translation>
    </message>
    <message>
        <source>Kept as</source>
        <translation>Aufgehoben als</translation>
    </message>
    <message>
        <source>When</source>
        <translation>Wann</translation>
    </message>
    <message>
        <source>Size</source>
        <translation>Größe</translation>
    </message>
    <message>
        <source>Checkpoints</source>
        <translation>Speicherstände</translation>
    </message>
    <message>
        <source>Watch this agent</source>
        <translation>Diesem Agenten zusehen</translation>
    </message>
    <message>
        <source>Export…</source>
        <translation>Exportieren …</translation>
    </message>
    <message>
        <source>Export this checkpoint</source>
        <translation>Diesen Speicherstand exportieren</translation>
    </message>
    <message>
        <source>best</source>
        <translation>bester</translation>
    </message>
    <message>
        <source>milestone</source>
        <translation>Meilenstein</translation>
    </message>
    <message>
        <source>newest</source>
        <translation>neuester</translation>
    </message>
    <message>
        <source>mean of the last evaluation of these weights</source>
        <translation>Mittelwert der letzten Auswertung dieser Gewichte</translation>
    </message>
</context>
<context>
    <name>seedbed::ui::CommandPalette</name>
    <message>
        <source>Command palette</source>
        <translation>Befehle</translation>
    </message>
    <message>
        <source>Type an action, a run or a setting</source>
        <translation>Befehl, Lauf oder Einstellung eingeben</translation>
    </message>
    <message>
        <source>Search commands, runs and settings</source>
        <translation>Befehle, Läufe und Einstellungen suchen</translation>
    </message>
    <message>
        <source>Matches</source>
        <translation>Treffer</translation>
    </message>
</context>
<context>
    <name>seedbed::ui::ComparePage</name>
    <message>
        <source>Filter runs</source>
        <translation>Läufe filtern</translation>
    </message>
    <message>
        <source>Comparison as CSV…</source>
        <translation>Vergleich als CSV …</translation>
    </message>
    <message>
        <source>Comparison as Markdown…</source>
        <translation>Vergleich als Markdown …</translation>
    </message>
    <message>
        <source>Show run</source>
        <translation>Lauf zeigen</translation>
    </message>
    <message>
        <source>Watch run</source>
        <translation>Lauf zusehen</translation>
    </message>
    <message>
        <source>Export policy</source>
        <translation>Policy exportieren</translation>
    </message>
    <message>
        <source>Add or remove star</source>
        <translation>Stern setzen oder entfernen</translation>
    </message>
    <message>
        <source>Add tag…</source>
        <translation>Schlagwort hinzufügen …</translation>
    </message>
    <message>
        <source>Rename</source>
        <translation>Umbenennen</translation>
    </message>
    <message>
        <source>Archive or restore from the archive</source>
        <translation>Ins Archiv oder aus dem Archiv</translation>
    </message>
    <message>
        <source>Move to trash or restore</source>
        <translation>In den Papierkorb oder aus ihm heraus</translation>
    </message>
    <message>
        <source>Show the chart as a table</source>
        <translation>Diagramm als Tabelle zeigen</translation>
    </message>
    <message>
        <source>Next view of the comparison</source>
        <translation>Nächste Ansicht des Vergleichs</translation>
    </message>
    <message>
        <source>Views of runs</source>
        <translation>Ansichten der Läufe</translation>
    </message>
    <message>
        <source>Runs</source>
        <translation>Läufe</translation>
    </message>
    <message>
        <source>Compare</source>
        <translation>Vergleichen</translation>
    </message>
    <message>
        <source>Choose runs to compare</source>
        <translation>Läufe zum Vergleichen wählen</translation>
    </message>
    <message>
        <source>Compare selected runs</source>
        <translation>Gewählte Läufe vergleichen</translation>
    </message>
    <message>
        <source>Compare the selected runs (C)</source>
        <translation>Die gewählten Läufe vergleichen (C)</translation>
    </message>
    <message>
        <source>Compare (%1)</source>
        <translation>Vergleich (%1)</translation>
    </message>
    <message>
        <source>Duel these two</source>
        <translation>Duell dieser beiden</translation>
    </message>
    <message>
        <source>Watch</source>
        <translation>Zusehen</translation>
    </message>
    <message>
        <source>Watch the selected run (Ctrl+W)</source>
        <translation>Dem ausgewählten Lauf zusehen (Strg+W)</translation>
    </message>
    <message>
        <source>Comparison as LaTeX…</source>
        <translation>Vergleich als LaTeX…</translation>
    </message>
    <message>
        <source>Explain this number</source>
        <translation>Diese Zahl erklären</translation>
    </message>
</context>
<context>
    <name>seedbed::ui::CompareText</name>
    <message>
        <source>at %1 steps</source>
        <translation>bei %1 Schritten</translation>
    </message>
    <message>
        <source>at %1 to %2 steps</source>
        <translation>bei %1 bis %2 Schritten</translation>
    </message>
    <message>
        <source>returns of evaluations and of training episodes</source>
        <translation>Erträge aus Auswertungen und Trainingsepisoden</translation>
    </message>
    <message>
        <source>returns of training episodes</source>
        <translation>Erträge von Trainingsepisoden</translation>
    </message>
    <message>
        <source>returns of sampled episodes</source>
        <translation>Erträge gezogener Episoden</translation>
    </message>
    <message>
        <source>returns of greedy episodes</source>
        <translation>Erträge gieriger Episoden</translation>
    </message>
    <message numerus="yes">
        <source>%n seed(s) against %1</source>
        <translation>
            <numerusform>%n Seed gegen %1</numerusform>
            <numerusform>%n Seeds gegen %1</numerusform>
        </translation>
    </message>
    <message>
        <source>Only one setting is compared</source>
        <translation>Nur eine Einstellung wird verglichen</translation>
    </message>
    <message>
        <source>return %1</source>
        <translation>Ertrag %1</translation>
    </message>
    <message>
        <source>return %1 (95 %: %2 to %3)</source>
        <translation>Ertrag %1 (95 %: %2 bis %3)</translation>
    </message>
    <message>
        <source>at least %1 seeds are needed to judge a setting</source>
        <translation>mindestens %1 Seeds sind nötig, um eine Einstellung zu beurteilen</translation>
    </message>
    <message>
        <source>%1 is better than %2</source>
        <translation>%1 ist besser als %2</translation>
    </message>
    <message>
        <source>by %1 (95 %: %2 to %3)</source>
        <translation>um %1 (95 %: %2 bis %3)</translation>
    </message>
    <message>
        <source>No difference between %1 and %2 can be shown</source>
        <translation>Zwischen %1 und %2 lässt sich kein Unterschied zeigen</translation>
    </message>
    <message>
        <source>%1 (95 %: %2 to %3)</source>
        <translation>%1 (95 %: %2 bis %3)</translation>
    </message>
    <message>
        <source>Too few seeds to distinguish %1 from %2</source>
        <translation>Zu wenige Seeds, um %1 von %2 zu unterscheiden</translation>
    </message>
    <message>
        <source>%1 so far</source>
        <translation>bisher %1</translation>
    </message>
    <message>
        <source>at least %1 of each are needed</source>
        <translation>je mindestens %1 sind nötig</translation>
    </message>
    <message>
        <source>the best of %1 settings against the baseline, not corrected for their number</source>
        <translation>die beste von %1 Einstellungen gegen den Maßstab, nicht für ihre Anzahl korrigiert</translation>
    </message>
    <message>
        <source>no finished episode yet</source>
        <translation>noch keine beendete Episode</translation>
    </message>
    <message>
        <source>interquartile mean over runs</source>
        <translation>Interquartilmittel über Läufe</translation>
    </message>
    <message>
        <source>mean over runs</source>
        <translation>Mittel über Läufe</translation>
    </message>
    <message>
        <source>baseline</source>
        <translation>Maßstab</translation>
    </message>
    <message numerus="yes">
        <source>%n seed(s)</source>
        <translation>
            <numerusform>%n Seed</numerusform>
            <numerusform>%n Seeds</numerusform>
        </translation>
    </message>
    <message>
        <source>These settings are not compared</source>
        <translation>Diese Einstellungen werden nicht verglichen</translation>
    </message>
    <message>
        <source>returns of different environments, or of greedy and sampled episodes, have no common scale</source>
        <translation>Erträge verschiedener Umgebungen oder gieriger und gezogener Episoden sind nicht vergleichbar</translation>
    </message>
    <message>
        <source>There is nothing to judge yet</source>
        <translation>Noch gibt es nichts zu beurteilen</translation>
    </message>
    <message>
        <source>fewer than two settings have finished episodes</source>
        <translation>weniger als zwei Einstellungen haben beendete Episoden</translation>
    </message>
    <message>
        <source>Not solved yet</source>
        <translation>Noch nicht gelöst</translation>
    </message>
    <message>
        <source>Solved by %1 of %2</source>
        <translation>Gelöst von %1 von %2</translation>
    </message>
</context>
<context>
    <name>seedbed::ui::ComparisonView</name>
    <message>
        <source>Nothing is compared yet. Select runs in the table and click Compare: runs with the same settings and different seeds form a group.</source>
        <translation>Noch wird nichts verglichen. Wählen Sie Läufe in der Tabelle und klicken Sie auf Vergleichen: Läufe mit gleichen Einstellungen und verschiedenen Seeds bilden eine Gruppe.</translation>
    </message>
    <message>
        <source>Comparison</source>
        <translation>Vergleich</translation>
    </message>
    <message>
        <source>Curves</source>
        <translation>Kurven</translation>
    </message>
    <message>
        <source>Statistics</source>
        <translation>Statistik</translation>
    </message>
    <message>
        <source>Settings</source>
        <translation>Einstellungen</translation>
    </message>
    <message>
        <source>Scatter</source>
        <translation>Streuung</translation>
    </message>
    <message>
        <source>Curves of the compared runs</source>
        <translation>Kurven der verglichenen Läufe</translation>
    </message>
    <message>
        <source>Metric</source>
        <translation>Größe</translation>
    </message>
    <message>
        <source>Metr&amp;ic</source>
        <translation>G&amp;röße</translation>
    </message>
    <message>
        <source>Group seeds</source>
        <translation>Seeds gruppieren</translation>
    </message>
    <message>
        <source>Individual runs</source>
        <translation>Jeder Lauf für sich</translation>
    </message>
    <message>
        <source>Grouping</source>
        <translation>Gruppierung</translation>
    </message>
    <message>
        <source>View</source>
        <translation>Ansicht</translation>
    </message>
    <message>
        <source>Axes, bands, smoothing and range of the chart</source>
        <translation>Achsen, Bänder, Glättung und Bereich des Diagramms</translation>
    </message>
    <message>
        <source>Saved %1</source>
        <translation>%1 gespeichert</translation>
    </message>
    <message>
        <source>'%1' cannot be written</source>
        <translation>„%1“ kann nicht geschrieben werden</translation>
    </message>
    <message>
        <source>%1 resumed %2</source>
        <translation>%1 fortgesetzt %2</translation>
    </message>
    <message>
        <source>run %1</source>
        <translation>Lauf %1</translation>
    </message>
    <message numerus="yes">
        <source>%n run(s) were queued.</source>
        <translation>
            <numerusform>%n Lauf steht in der Warteschlange.</numerusform>
            <numerusform>%n Läufe stehen in der Warteschlange.</numerusform>
        </translation>
    </message>
    <message>
        <source>Parallel</source>
        <translation>Parallel</translation>
    </message>
    <message>
        <source>Show statistics</source>
        <translation>Statistik zeigen</translation>
    </message>
    <message>
        <source>Numbers</source>
        <translation>Zahlen</translation>
    </message>
    <message>
        <source>Over tasks</source>
        <translation>Über Aufgaben</translation>
    </message>
    <message>
        <source>Interquartile mean of the seeds with 95 % band</source>
        <translation>Interquartilmittel der Seeds mit 95-%-Band</translation>
    </message>
    <message>
        <source>Interquartile mean of the seeds</source>
        <translation>Interquartilmittel der Seeds</translation>
    </message>
</context>
<context>
    <name>seedbed::ui::ConfigForm</name>
    <message>
        <source>Run: length and device</source>
        <translation>Lauf: Länge und Gerät</translation>
    </message>
    <message>
        <source>Environment</source>
        <translation>Umgebung</translation>
    </message>
    <message>
        <source>Algorithm</source>
        <translation>Algorithmus</translation>
    </message>
    <message>
        <source>Network</source>
        <translation>Netz</translation>
    </message>
    <message>
        <source>Optimiser</source>
        <translation>Optimierer</translation>
    </message>
    <message>
        <source>Actors: stepping environments</source>
        <translation>Akteure: wie Umgebungen ausgeführt werden</translation>
    </message>
    <message>
        <source>Inference: computing actions</source>
        <translation>Inferenz: wie Aktionen berechnet werden</translation>
    </message>
    <message>
        <source>Learner: batches and updates</source>
        <translation>Lerner: wie Lernschritte geteilt werden</translation>
    </message>
    <message>
        <source>Evaluation during training</source>
        <translation>Auswertung während des Trainings</translation>
    </message>
    <message>
        <source>Checkpoints</source>
        <translation>Speicherstände</translation>
    </message>
    <message>
        <source>“%1” is not a number</source>
        <translation>„%1“ ist keine Zahl</translation>
    </message>
    <message>
        <source>“%1” is not a whole number</source>
        <translation>„%1“ ist keine ganze Zahl</translation>
    </message>
    <message>
        <source>%1 is out of range; allowed: %2</source>
        <translation>%1 liegt außerhalb; erlaubt: %2</translation>
    </message>
    <message>
        <source>“%1” must be true or false</source>
        <translation>„%1“ ist weder true noch false</translation>
    </message>
    <message>
        <source>“%1” is not one of: %2</source>
        <translation>„%1“ ist keines von: %2</translation>
    </message>
    <message>
        <source>There is no setting “%1” for this environment and algorithm</source>
        <translation>Für diese Umgebung und diesen Algorithmus gibt es keine Einstellung „%1“</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1: %2</translation>
    </message>
    <message>
        <source>%1
--%2; allowed: %3; default: %4; preset: %5</source>
        <translation>%1
--%2; erlaubt: %3; Standard: %4; Voreinstellung: %5</translation>
    </message>
    <message>
        <source>any value</source>
        <translation>jeder Wert</translation>
    </message>
    <message>
        <source>Setting</source>
        <translation>Einstellung</translation>
    </message>
    <message>
        <source>Value</source>
        <translation>Wert</translation>
    </message>
    <message>
        <source>one of %1</source>
        <translation>eins von %1</translation>
    </message>
    <message>
        <source>%1 to %2</source>
        <comment>a range</comment>
        <translation>%1 bis %2</translation>
    </message>
    <message>
        <source>%1 or more</source>
        <translation>%1 oder mehr</translation>
    </message>
    <message>
        <source>%1 or less</source>
        <translation>%1 oder weniger</translation>
    </message>
    <message>
        <source>Argument of the environment's constructor.</source>
        <translation>Argument des Konstruktors der Umgebung.</translation>
    </message>
    <message>
        <source>Self-play: opponents</source>
        <translation>Self-Play: Gegner</translation>
    </message>
    <message>
        <source>on</source>
        <translation>an</translation>
    </message>
    <message>
        <source>off</source>
        <translation>aus</translation>
    </message>
    <message>
        <source>Several policies</source>
        <translation>Mehrere Policies</translation>
    </message>
</context>
<context>
    <name>seedbed::ui::CustomizeView</name>
    <message>
        <source>Reset all</source>
        <translation>Alle zurücksetzen</translation>
    </message>
    <message>
        <source>Reset all settings to the preset's values</source>
        <translation>Alle Einstellungen auf die Werte der Voreinstellung zurücksetzen</translation>
    </message>
    <message>
        <source>Back to the gallery</source>
        <translation>Zurück zur Galerie</translation>
    </message>
    <message>
        <source>&amp;Preset</source>
        <translation>&amp;Voreinstellung</translation>
    </message>
    <message>
        <source>Preset</source>
        <translation>Voreinstellung</translation>
    </message>
    <message>
        <source>&amp;Algorithm</source>
        <translation>Alg&amp;orithmus</translation>
    </message>
    <message>
        <source>Algorithm</source>
        <translation>Algorithmus</translation>
    </message>
    <message>
        <source>Settings to show</source>
        <translation>Welche Einstellungen gezeigt werden</translation>
    </message>
    <message>
        <source>common settings</source>
        <translation>häufige Einstellungen</translation>
    </message>
    <message>
        <source>all settings</source>
        <translation>alle Einstellungen</translation>
    </message>
    <message>
        <source>Search all settings</source>
        <translation>Alle Einstellungen durchsuchen</translation>
    </message>
    <message>
        <source>Show only settings that you changed</source>
        <translation>Nur Einstellungen zeigen, die du geändert hast</translation>
    </message>
    <message>
        <source>This run</source>
        <translation>Dieses Training</translation>
    </message>
    <message>
        <source>&amp;Name (optional)</source>
        <translation>&amp;Name (freiwillig)</translation>
    </message>
    <message>
        <source>Name of the run (optional)</source>
        <translation>Name des Laufs (freiwillig)</translation>
    </message>
    <message>
        <source>&amp;Seeds</source>
        <translation>&amp;Seeds</translation>
    </message>
    <message>
        <source>Seeds</source>
        <translation>Seeds</translation>
    </message>
    <message>
        <source>1..5 or 1,2,7</source>
        <translation>1..5 oder 1,2,7</translation>
    </message>
    <message>
        <source>One run per seed</source>
        <translation>Ein Lauf je Seed</translation>
    </message>
    <message>
        <source>Grid of settings</source>
        <translation>Raster von Einstellungen</translation>
    </message>
    <message>
        <source>One run per value; several grids, separated by spaces, give all combinations</source>
        <translation>Ein Lauf je Wert; mehrere Raster, durch Leerzeichen getrennt, ergeben alle Kombinationen</translation>
    </message>
    <message>
        <source>Device</source>
        <translation>Gerät</translation>
    </message>
    <message>
        <source>&amp;Device</source>
        <translation>&amp;Gerät</translation>
    </message>
    <message>
        <source>&amp;Train</source>
        <translation>&amp;Trainieren</translation>
    </message>
    <message>
        <source>Train with these settings</source>
        <translation>Mit diesen Einstellungen trainieren</translation>
    </message>
    <message>
        <source>Copy as &amp;command</source>
        <translation>Als Befehl &amp;kopieren</translation>
    </message>
    <message>
        <source>Copy as command</source>
        <translation>Als Befehl kopieren</translation>
    </message>
    <message>
        <source>none (plain defaults)</source>
        <translation>keine (Standardwerte)</translation>
    </message>
    <message>
        <source>from the preset</source>
        <translation>der der Voreinstellung</translation>
    </message>
    <message>
        <source> · %1 free</source>
        <translation> · %1 frei</translation>
    </message>
    <message>
        <source>Copied: %1</source>
        <translation>Kopiert: %1</translation>
    </message>
    <message>
        <source>Enter seeds as a range (1..5) or a list (1,2,7)</source>
        <translation>Seeds sind ein Bereich wie 1..5 oder eine Liste wie 1,2,7</translation>
    </message>
    <message>
        <source>Changed on&amp;ly</source>
        <translation>N&amp;ur geänderte</translation>
    </message>
    <message>
        <source>Starting…</source>
        <translation>Wird gestartet …</translation>
    </message>
    <message numerus="yes">
        <source>Changed on&amp;ly (%n)</source>
        <translation>
            <numerusform>N&amp;ur geänderte (%n)</numerusform>
            <numerusform>N&amp;ur geänderte (%n)</numerusform>
        </translation>
    </message>
    <message>
        <source>Change %1</source>
        <translation>%1 ändern</translation>
    </message>
    <message>
        <source>“%1” is in the grid twice</source>
        <translation>„%1“ steht zweimal im Raster</translation>
    </message>
    <message>
        <source>Grid: %1</source>
        <translation>Raster: %1</translation>
    </message>
    <message numerus="yes">
        <source>Change %n setting(s)</source>
        <translation>
            <numerusform>%n Einstellung ändern</numerusform>
            <numerusform>%n Einstellungen ändern</numerusform>
        </translation>
    </message>
    <message>
        <source>%1, copied from run %2</source>
        <translation>%1, wie Lauf %2</translation>
    </message>
    <message>
        <source>Enter a grid as KEY=VALUE,VALUE or KEY=VALUE;VALUE, for example algo.gamma=0.98,0.99 (at most 10,000 runs)</source>
        <translation>Ein Raster schreibt man als SCHLÜSSEL=WERT,WERT oder SCHLÜSSEL=WERT;WERT, etwa algo.gamma=0.98,0.99 (höchstens 10.000 Läufe)</translation>
    </message>
    <message>
        <source>Grid: are the commas in “%1” decimal separators? Separate values with semicolons: %2=0,001;0,01</source>
        <translation>Raster: Sind die Kommas in „%1“ Dezimalkommas? Trenne Werte durch Semikolons: %2=0,001;0,01</translation>
    </message>
    <message>
        <source>length and goal</source>
        <translation>Länge und Ziel</translation>
    </message>
    <message>
        <source>recommended</source>
        <translation>empfohlen</translation>
    </message>
    <message>
        <source>Vary</source>
        <translation>Variieren</translation>
    </message>
    <message>
        <source>Vary the algorithm</source>
        <translation>Algorithmus variieren</translation>
    </message>
    <message>
        <source>Train with several algorithms: one run per algorithm</source>
        <translation>Mit mehreren Algorithmen trainieren: ein Lauf je Algorithmus</translation>
    </message>
    <message>
        <source>&amp;Grid as text</source>
        <translation>&amp;Raster als Text</translation>
    </message>
    <message>
        <source>Grid as text</source>
        <translation>Raster als Text</translation>
    </message>
    <message>
        <source>Edit the values of varied settings as the command line accepts them</source>
        <translation>Die Werte der variierten Einstellungen so bearbeiten, wie die Befehlszeile sie annimmt</translation>
    </message>
    <message>
        <source>%1 · %2</source>
        <translation>%1 · %2</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1: %2</translation>
    </message>
    <message numerus="yes">
        <source>%n value(s)</source>
        <translation>
            <numerusform>%n Wert</numerusform>
            <numerusform>%n Werte</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n seed(s)</source>
        <translation>
            <numerusform>%n Seed</numerusform>
            <numerusform>%n Seeds</numerusform>
        </translation>
    </message>
    <message>
        <source>%1 = %2</source>
        <translation>%1 = %2</translation>
    </message>
    <message numerus="yes">
        <source>%n run(s)</source>
        <translation>
            <numerusform>%n Lauf</numerusform>
            <numerusform>%n Läufe</numerusform>
        </translation>
    </message>
    <message>
        <source>%1, from the weights of %2</source>
        <translation>%1, mit den Gewichten von %2</translation>
    </message>
    <message>
        <source>Without a limit, training would never stop. Set %1, %2 or %3.</source>
        <translation>Ohne Grenze würde das Training nie enden. Setze %1, %2 oder %3.</translation>
    </message>
</context>
<context>
    <name>seedbed::ui::DashboardPage</name>
    <message>
        <source>Start training</source>
        <translation>Training beginnen</translation>
    </message>
    <message>
        <source>Add chart</source>
        <translation>Diagramm hinzufügen</translation>
    </message>
    <message>
        <source>Run details</source>
        <translation>Einzelheiten des Laufs</translation>
    </message>
    <message>
        <source>Settings of the run</source>
        <translation>Einstellungen des Laufs</translation>
    </message>
    <message>
        <source>Doctor</source>
        <translation>Doktor</translation>
    </message>
    <message>
        <source>Checkpoints</source>
        <translation>Speicherstände</translation>
    </message>
    <message>
        <source>Events</source>
        <translation>Ereignisse</translation>
    </message>
    <message>
        <source>Settings</source>
        <translation>Einstellungen</translation>
    </message>
    <message>
        <source>Pause run</source>
        <translation>Lauf anhalten</translation>
    </message>
    <message>
        <source>Resume run</source>
        <translation>Lauf fortsetzen</translation>
    </message>
    <message>
        <source>Stop run</source>
        <translation>Lauf stoppen</translation>
    </message>
    <message>
        <source>Save checkpoint now</source>
        <translation>Jetzt einen Speicherstand sichern</translation>
    </message>
    <message>
        <source>Watch this run</source>
        <translation>Diesem Lauf zusehen</translation>
    </message>
    <message>
        <source>Export this run's policy</source>
        <translation>Policy dieses Laufs exportieren</translation>
    </message>
    <message>
        <source>Show the previous run</source>
        <translation>Vorigen Lauf zeigen</translation>
    </message>
    <message>
        <source>Show the next run</source>
        <translation>Nächsten Lauf zeigen</translation>
    </message>
    <message>
        <source>Show charts as tables</source>
        <translation>Diagramme als Tabellen zeigen</translation>
    </message>
    <message>
        <source>Restore the default charts</source>
        <translation>Die üblichen Diagramme zurückholen</translation>
    </message>
    <message>
        <source>Loading runs…</source>
        <translation>Läufe werden geladen …</translation>
    </message>
    <message>
        <source>There are no runs yet.</source>
        <translation>Es gibt noch keine Läufe.</translation>
    </message>
    <message>
        <source>Doctor (%1)</source>
        <translation>Doktor (%1)</translation>
    </message>
    <message>
        <source>No run is selected.</source>
        <translation>Kein Lauf ist ausgewählt.</translation>
    </message>
    <message>
        <source>This is not possible while the run is in this state: %1.</source>
        <translation>Das geht nicht mit einem Lauf in diesem Zustand: %1.</translation>
    </message>
    <message>
        <source>Marks: ▲ checkpoint, ╷ evaluation; dashed line: resumed</source>
        <translation>Zeichen: ▲ Speicherstand, ╷ Auswertung; gestrichelt: fortgesetzt</translation>
    </message>
    <message>
        <source>Run %1 does not exist.</source>
        <translation>Lauf %1 gibt es nicht.</translation>
    </message>
    <message>
        <source>Show the a&amp;gent next to the first chart</source>
        <translation>A&amp;gent neben der ersten Kurve zeigen</translation>
    </message>
    <message>
        <source>View</source>
        <translation>Ansicht</translation>
    </message>
    <message>
        <source>Overview</source>
        <translation>Überblick</translation>
    </message>
    <message>
        <source>Train longer</source>
        <translation>Länger trainieren</translation>
    </message>
    <message>
        <source>New run with the settings of this one</source>
        <translation>Neuer Lauf mit den Einstellungen von diesem</translation>
    </message>
    <message>
        <source>Machines</source>
        <translation>Rechner</translation>
    </message>
</context>
<context>
    <name>seedbed::ui::DeviceCard</name>
    <message>
        <source>cannot be used</source>
        <translation>nicht verwendbar</translation>
    </message>
    <message>
        <source>checked</source>
        <translation>geprüft</translation>
    </message>
    <message>
        <source>wrong results</source>
        <translation>falsche Ergebnisse</translation>
    </message>
    <message>
        <source>Engine %1: %2</source>
        <translation>Engine %1: %2</translation>
    </message>
    <message>
        <source>%1 %2</source>
        <comment>preset and its decisions per second</comment>
        <translation>%1 %2</translation>
    </message>
    <message>
        <source>Training, in decisions per second: %1</source>
        <translation>Training, in Entscheidungen pro Sekunde: %1</translation>
    </message>
    <message>
        <source>Measuring %1</source>
        <translation>%1 wird gemessen</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Abbrechen</translation>
    </message>
    <message>
        <source>Measure</source>
        <translation>Messen</translation>
    </message>
    <message>
        <source>Cancel the measurement of %1</source>
        <translation>Messung von %1 abbrechen</translation>
    </message>
    <message>
        <source>Measure the speed of %1</source>
        <translation>Geschwindigkeit von %1 messen</translation>
    </message>
    <message>
        <source>Not measured yet.</source>
        <translation>Noch nicht gemessen.</translation>
    </message>
    <message>
        <source>Network</source>
        <translation>Netz</translation>
    </message>
    <message>
        <source>Engine</source>
        <translation>Engine</translation>
    </message>
    <message>
        <source>Decisions/s</source>
        <translation>Entscheidungen/s</translation>
    </message>
    <message>
        <source>Training, GFLOP/s</source>
        <translation>Training, GFLOP/s</translation>
    </message>
    <message>
        <source>Checking the results before measuring…</source>
        <translation>Die Ergebnisse werden vor der Messung geprüft …</translation>
    </message>
    <message>
        <source>Measuring %1 (%2 of %3)…</source>
        <translation>%1 wird gemessen (%2 von %3) …</translation>
    </message>
    <message>
        <source>Measured on %1 with Seedbed %2.</source>
        <translation>Gemessen am %1 mit Seedbed %2.</translation>
    </message>
    <message>
        <source>Other programs slowed it down: measure again when the computer is idle.</source>
        <translation>Andere Programme haben gebremst: Miss erneut, wenn der Computer nichts anderes tut.</translation>
    </message>
</context>
<context>
    <name>seedbed::ui::DeviceList</name>
    <message>
        <source>Processor</source>
        <translation>Prozessor</translation>
    </message>
    <message numerus="yes">
        <source>%n core(s)</source>
        <translation>
            <numerusform>%n Kern</numerusform>
            <numerusform>%n Kerne</numerusform>
        </translation>
    </message>
    <message>
        <source>instruction set %1</source>
        <translation>Befehlssatz %1</translation>
    </message>
    <message>
        <source>%1 of %2 memory available</source>
        <translation>%1 von %2 Speicher frei</translation>
    </message>
    <message>
        <source>wrong results: %1</source>
        <translation>falsche Ergebnisse: %1</translation>
    </message>
    <message>
        <source>results agree with double precision (largest error %1)</source>
        <translation>Ergebnisse stimmen mit doppelter Genauigkeit überein (größter Fehler %1)</translation>
    </message>
    <message>
        <source>small network (64 × 64)</source>
        <translation>kleines Netz (64 × 64)</translation>
    </message>
    <message>
        <source>wide network (2048 × 2048)</source>
        <translation>breites Netz (2048 × 2048)</translation>
    </message>
    <message>
        <source>Nature CNN (84 × 84 pictures)</source>
        <translation>Nature-CNN (Bilder 84 × 84)</translation>
    </message>
    <message>
        <source>deep IMPALA CNN (84 × 84 pictures)</source>
        <translation>tiefes IMPALA-CNN (Bilder 84 × 84)</translation>
    </message>
    <message>
        <source>Engine %1</source>
        <translation>Engine %1</translation>
    </message>
    <message>
        <source>The measurement was stopped because a run began to train.</source>
        <translation>Die Messung wurde beendet, weil ein Lauf zu trainieren begann.</translation>
    </message>
    <message>
        <source>Another device is being measured.</source>
        <translation>Ein anderes Gerät wird gerade gemessen.</translation>
    </message>
    <message>
        <source>A run is training, and a measurement would disturb it. Measure when it has ended.</source>
        <translation>Ein Lauf trainiert, und eine Messung würde ihn stören. Bitte messen, wenn er beendet ist.</translation>
    </message>
    <message>
        <source>The speeds of presets are being measured. Try again in about a minute.</source>
        <translation>Die Geschwindigkeiten der Voreinstellungen werden gemessen. Bitte in etwa einer Minute erneut versuchen.</translation>
    </message>
    <message>
        <source>The measurement failed: %1</source>
        <translation>Die Messung schlug fehl: %1</translation>
    </message>
    <message>
        <source>The measurement could not be started: %1</source>
        <translation>Die Messung konnte nicht gestartet werden: %1</translation>
    </message>
    <message>
        <source>recurrent network (LSTM)</source>
        <translation>rekurrentes Netz (LSTM)</translation>
    </message>
    <message>
        <source>%1, engine %2</source>
        <translation>%1, Engine %2</translation>
    </message>
    <message>
        <source>Other programs used %1 cores during the measurement, so the earlier result was kept. Measure again when the computer is idle.</source>
        <translation>Andere Programme belegten während der Messung %1 Kerne; das frühere Ergebnis wurde behalten. Miss erneut, wenn der Computer nichts anderes tut.</translation>
    </message>
</context>
<context>
    <name>seedbed::ui::DevicesView</name>
    <message>
        <source>Devices</source>
        <translation>Geräte</translation>
    </message>
    <message>
        <source>Checking the devices…</source>
        <translation>Die Geräte werden geprüft …</translation>
    </message>
    <message>
        <source>Choose the device of a run in its settings. A measurement takes about ten seconds to a minute and uses the device fully.</source>
        <translation>Das Gerät eines Laufs steht in dessen Einstellungen. Eine Messung dauert zehn Sekunden bis eine Minute und lastet das Gerät aus.</translation>
    </message>
</context>
<context>
    <name>seedbed::ui::DifferenceView</name>
    <message>
        <source>Show equal settings</source>
        <translation>Auch gleiche Einstellungen zeigen</translation>
    </message>
    <message>
        <source>Settings of the compared groups</source>
        <translation>Einstellungen der verglichenen Gruppen</translation>
    </message>
    <message>
        <source>Select runs of at least two groups to see differences.</source>
        <translation>Wähle Läufe aus mindestens zwei Gruppen, um Unterschiede zu sehen.</translation>
    </message>
    <message>
        <source>The settings are equal.</source>
        <translation>Die Einstellungen sind gleich.</translation>
    </message>
    <message numerus="yes">
        <source>%n setting(s) differ.</source>
        <translation>
            <numerusform>%n Einstellung ist verschieden.</numerusform>
            <numerusform>%n Einstellungen sind verschieden.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>seedbed::ui::DoctorCard</name>
    <message>
        <source>Doctor</source>
        <translation>Doktor</translation>
    </message>
    <message>
        <source>Result of the training doctor</source>
        <translation>Ergebnis des Doktors</translation>
    </message>
    <message>
        <source>&amp;Details</source>
        <translation>&amp;Details</translation>
    </message>
    <message>
        <source>What the training doctor found in the metrics of this run</source>
        <translation>Was der Doktor in den Messwerten dieses Laufs fand</translation>
    </message>
    <message>
        <source>The training doctor reads the metrics of this run.</source>
        <translation>Der Doktor liest die Messwerte dieses Laufs.</translation>
    </message>
    <message>
        <source>healthy</source>
        <translation>gesund</translation>
    </message>
    <message>
        <source>examining</source>
        <translation>wird untersucht</translation>
    </message>
    <message numerus="yes">
        <source>%n finding(s)</source>
        <translation>
            <numerusform>%n Befund</numerusform>
            <numerusform>%n Befunde</numerusform>
        </translation>
    </message>
    <message>
        <source>%1. Try: %2</source>
        <translation>%1. Versuchen Sie: %2</translation>
    </message>
    <message>
        <source>Nothing to change.</source>
        <translation>Nichts zu ändern.</translation>
    </message>
</context>
<context>
    <name>seedbed::ui::DoctorPanel</name>
    <message>
        <source>Problem</source>
        <translation>Problem</translation>
    </message>
    <message>
        <source>Warning</source>
        <translation>Warnung</translation>
    </message>
    <message>
        <source>Note</source>
        <translation>Hinweis</translation>
    </message>
    <message>
        <source>Training doctor</source>
        <translation>Trainingsdoktor</translation>
    </message>
    <message>
        <source>Examining the metrics…</source>
        <translation>Die Messwerte werden untersucht …</translation>
    </message>
    <message>
        <source>Evidence: %1</source>
        <translation>Beleg: %1</translation>
    </message>
    <message>
        <source>Likely cause: %1</source>
        <translation>Wahrscheinliche Ursache: %1</translation>
    </message>
    <message>
        <source>Try: %1</source>
        <translation>Versuche: %1</translation>
    </message>
    <message>
        <source>Try this as a new run…</source>
        <translation>Als neuen Lauf versuchen …</translation>
    </message>
    <message>
        <source>Try as a new run: %1</source>
        <translation>Als neuen Lauf versuchen: %1</translation>
    </message>
    <message>
        <source>In a terminal: %1</source>
        <translation>In einem Terminal: %1</translation>
    </message>
    <message>
        <source>No problems found in run %1.</source>
        <translation>In Lauf %1 wurden keine Probleme gefunden.</translation>
    </message>
</context>
<context>
    <name>seedbed::ui::DuelCandidates</name>
    <message>
        <source>%1 · imported</source>
        <translation>%1 · importiert</translation>
    </message>
    <message>
        <source>%1 · scripted</source>
        <translation>%1 · Skript</translation>
    </message>
    <message>
        <source>You (keyboard)</source>
        <translation>Du (Tastatur)</translation>
    </message>
    <message>
        <source>League %1: %2</source>
        <translation>Liga %1: %2</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <comment>member of a league</comment>
        <translation>%1 aus %2</translation>
    </message>
</context>
<context>
    <name>seedbed::ui::DuelChoices</name>
    <message>
        <source>vs</source>
        <comment>between two players</comment>
        <translation>gegen</translation>
    </message>
    <message>
        <source>%1 (newest weights)</source>
        <translation>%1 (neueste Gewichte)</translation>
    </message>
    <message>
        <source>Choose two players.</source>
        <translation>Wähle zwei Spieler.</translation>
    </message>
    <message>
        <source>There is no %1.</source>
        <translation>%1 gibt es nicht.</translation>
    </message>
    <message>
        <source>No weights of %1 are stored yet. It can play after its first checkpoint.</source>
        <translation>Von %1 sind noch keine Gewichte gespeichert. Er kann nach seinem ersten Speicherstand spielen.</translation>
    </message>
    <message>
        <source>Choose a player to play against.</source>
        <translation>Wähle einen Spieler, gegen den du spielst.</translation>
    </message>
    <message>
        <source>They play different environments: %1 plays %2, and %3 plays %4.</source>
        <translation>Sie spielen verschiedene Umgebungen: %1 spielt %2, und %3 spielt %4.</translation>
    </message>
</context>
<context>
    <name>seedbed::ui::DuelPage</name>
    <message>
        <source>There is no agent to play yet. Train one: then you can set it against earlier weights of itself, against another run or against a scripted player, and see where they part ways.</source>
        <translation>Noch gibt es keinen Agenten, der spielen kann. Trainiere einen: Dann kann er gegen frühere eigene Gewichte, gegen einen anderen Lauf oder gegen einen Skriptspieler antreten, und du siehst, wo sich ihre Wege trennen.</translation>
    </message>
    <message>
        <source>Start the duel</source>
        <translation>Duell starten</translation>
    </message>
    <message>
        <source>Pause or resume</source>
        <translation>Anhalten oder fortsetzen</translation>
    </message>
    <message>
        <source>One step back</source>
        <translation>Einen Schritt zurück</translation>
    </message>
    <message>
        <source>One step forward</source>
        <translation>Einen Schritt vor</translation>
    </message>
    <message>
        <source>Play on</source>
        <translation>Weiterspielen</translation>
    </message>
    <message>
        <source>From the beginning</source>
        <translation>Von Anfang an</translation>
    </message>
    <message>
        <source>Next seed</source>
        <translation>Nächster Seed</translation>
    </message>
    <message>
        <source>Swap the players</source>
        <translation>Spieler tauschen</translation>
    </message>
    <message>
        <source>Train an agent</source>
        <translation>Einen Agenten trainieren</translation>
    </message>
    <message>
        <source>Duel</source>
        <translation>Duell</translation>
    </message>
    <message>
        <source>Seed of the episode</source>
        <translation>Seed der Episode</translation>
    </message>
    <message>
        <source>Both players get the same episode: the one with this seed</source>
        <translation>Beide Spieler bekommen dieselbe Episode: die mit diesem Seed</translation>
    </message>
    <message>
        <source>seed </source>
        <translation>Seed </translation>
    </message>
    <message>
        <source>Action selection</source>
        <translation>Wahl der Aktionen</translation>
    </message>
    <message>
        <source>Greedy</source>
        <translation>Greedy</translation>
    </message>
    <message>
        <source>Sampled</source>
        <translation>Gezogen</translation>
    </message>
    <message>
        <source>Restart</source>
        <translation>Neu starten</translation>
    </message>
    <message>
        <source>Speed</source>
        <translation>Tempo</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1: %2</translation>
    </message>
    <message>
        <source>No game is playing.</source>
        <translation>Es läuft kein Spiel.</translation>
    </message>
    <message>
        <source>Start the duel to see them play.</source>
        <translation>Starte das Duell, um sie spielen zu sehen.</translation>
    </message>
    <message>
        <source>Starting the players…</source>
        <translation>Die Spieler starten…</translation>
    </message>
    <message>
        <source>Scores need an environment with one or two seats.</source>
        <translation>Ein Ergebnis braucht eine Umgebung mit einem oder zwei Plätzen.</translation>
    </message>
    <message>
        <source>Choose other players or weights above.</source>
        <translation>Wähle oben andere Spieler oder Gewichte.</translation>
    </message>
    <message>
        <source>One game against you.</source>
        <translation>Ein Spiel gegen dich.</translation>
    </message>
    <message>
        <source>The same episode for you and the agent.</source>
        <translation>Dieselbe Episode für dich und den Agenten.</translation>
    </message>
    <message>
        <source>Your keys are shown when it begins.</source>
        <translation>Deine Tasten stehen da, sobald es beginnt.</translation>
    </message>
    <message>
        <source>One game against each other.</source>
        <translation>Ein Spiel gegeneinander.</translation>
    </message>
    <message>
        <source>The same episode for both.</source>
        <translation>Dieselbe Episode für beide.</translation>
    </message>
    <message>
        <source>The duel pauses where their decisions first differ.</source>
        <translation>Das Duell hält an, wo sich ihre Entscheidungen zuerst unterscheiden.</translation>
    </message>
    <message>
        <source>A player stopped.</source>
        <translation>Ein Spieler ist ausgefallen.</translation>
    </message>
    <message>
        <source>Restart the duel, or choose other players.</source>
        <translation>Starte das Duell neu, oder wähle andere Spieler.</translation>
    </message>
    <message>
        <source>Starting the game…</source>
        <translation>Das Spiel startet…</translation>
    </message>
    <message>
        <source>Looking for the first different decision…</source>
        <translation>Die erste verschiedene Entscheidung wird gesucht…</translation>
    </message>
    <message>
        <source>The game is in progress.</source>
        <translation>Das Spiel läuft.</translation>
    </message>
    <message>
        <source>The first different decision is not known.</source>
        <translation>Die erste verschiedene Entscheidung ist nicht bekannt.</translation>
    </message>
    <message>
        <source>The same so far.</source>
        <translation>Bisher gleich.</translation>
    </message>
    <message>
        <source>Numbers count as different if they differ by more than %1, 5 % of their range.</source>
        <translation>Zahlen gelten als verschieden, wenn sie um mehr als %1 abweichen, 5 % ihres Bereichs.</translation>
    </message>
    <message>
        <source>Restart the duel</source>
        <translation>Duell neu starten</translation>
    </message>
    <message>
        <source>You play the same episode as the agent.</source>
        <translation>Du spielst dieselbe Episode wie der Agent.</translation>
    </message>
    <message>
        <source>The agent waits for you.</source>
        <translation>Der Agent wartet auf dich.</translation>
    </message>
    <message>
        <source>Paused at the first different decision.</source>
        <translation>Angehalten bei der ersten verschiedenen Entscheidung.</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>Beenden</translation>
    </message>
    <message>
        <source>Ends the duel (Esc)</source>
        <translation>Beendet das Duell (Esc)</translation>
    </message>
    <message>
        <source>One game shows how they play; the score over many games shows who is better.</source>
        <translation>Ein Spiel zeigt, wie sie spielen; das Ergebnis vieler Spiele zeigt, wer besser ist.</translation>
    </message>
    <message>
        <source>One game shows where they differ, not who is better. Many games on other seeds give a score with its uncertainty.</source>
        <translation>Ein Spiel zeigt, wo sie sich unterscheiden, nicht, wer besser ist. Viele Spiele mit anderen Seeds geben ein Ergebnis mit seiner Unsicherheit.</translation>
    </message>
    <message>
        <source>Both see different sides of it, so there is no common decision to compare.</source>
        <translation>Beide sehen verschiedene Seiten davon; es gibt keine gemeinsame Entscheidung zum Vergleichen.</translation>
    </message>
    <message>
        <source>Swap the players for a fair second game.</source>
        <translation>Tausche die Spieler für ein faires zweites Spiel.</translation>
    </message>
    <message numerus="yes">
        <source>The games of the score begin with %n random decision(s), as in the league; the game above does not.</source>
        <translation>
            <numerusform>Die Spiele des Ergebnisses beginnen mit einer zufälligen Entscheidung, wie in der Liga; das Spiel oben nicht.</numerusform>
            <numerusform>Die Spiele des Ergebnisses beginnen mit %n zufälligen Entscheidungen, wie in der Liga; das Spiel oben nicht.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>seedbed::ui::DuelStage</name>
    <message>
        <source>Game of the first player</source>
        <translation>Spiel des ersten Spielers</translation>
    </message>
    <message>
        <source>Game of the second player</source>
        <translation>Spiel des zweiten Spielers</translation>
    </message>
    <message>
        <source>%1 · seat %2</source>
        <translation>%1 · Platz %2</translation>
    </message>
    <message>
        <source>Return %1 · %2</source>
        <translation>Ertrag %1 · %2</translation>
    </message>
    <message>
        <source>Step %1 · return %2</source>
        <translation>Schritt %1 · Ertrag %2</translation>
    </message>
    <message>
        <source>This environment has no pictures. The decisions are described below.</source>
        <translation>Diese Umgebung hat keine Bilder. Die Entscheidungen stehen unten.</translation>
    </message>
</context>
<context>
    <name>seedbed::ui::DuelText</name>
    <message>
        <source>%1 chose %2</source>
        <translation>%1: %2</translation>
    </message>
    <message>
        <source>Of %1 games, %2 won %3, drew %4 and lost %5 against %6: score %7 (95 % interval %8 to %9).</source>
        <translation>Von %1 Spielen hat %2 %3 gewonnen, bei %4 Unentschieden und %5 Niederlagen gegen %6: %7 der Punkte (95-%-Intervall %8 bis %9).</translation>
    </message>
    <message>
        <source>These games do not show who is stronger: the interval contains 50 %.</source>
        <translation>Diese Spiele zeigen nicht, wer stärker ist: Das Intervall enthält 50 %.</translation>
    </message>
    <message>
        <source>%1 to %2</source>
        <translation>%1 bis %2</translation>
    </message>
    <message>
        <source>Mean return of %1 episodes: %2 for %3 (95 % interval %4), and %5 for %6 (%7). Difference: %8 (%9).</source>
        <translation>Mittlerer Ertrag von %1 Episoden: %2 für %3 (95-%-Intervall %4) und %5 für %6 (%7). Unterschied: %8 (%9).</translation>
    </message>
    <message>
        <source>These episodes do not show who is better: the interval of the difference contains 0.</source>
        <translation>Diese Episoden zeigen nicht, wer besser ist: Das Intervall des Unterschieds enthält 0.</translation>
    </message>
    <message>
        <source>They never differ: the same actions in all %1 decisions of the episode.</source>
        <translation>Sie unterscheiden sich nie: dieselben Aktionen in allen %1 Entscheidungen der Episode.</translation>
    </message>
    <message>
        <source>%1, and %2</source>
        <comment>two sentences</comment>
        <translation>%1 und %2</translation>
    </message>
    <message>
        <source>Then, in seat %1, %2.</source>
        <translation>Dann, auf Platz %1, %2.</translation>
    </message>
    <message>
        <source>Then %1.</source>
        <translation>Dann %1.</translation>
    </message>
    <message>
        <source>They differ in their first decision: %1.</source>
        <translation>Sie unterscheiden sich in der ersten Entscheidung: %1.</translation>
    </message>
    <message>
        <source>The same for one decision. %1</source>
        <translation>Eine Entscheidung lang gleich. %1</translation>
    </message>
    <message>
        <source>The same for %1 decisions. %2</source>
        <translation>%1 Entscheidungen lang gleich. %2</translation>
    </message>
    <message>
        <source>Both reached %1.</source>
        <translation>Beide erreichten %1.</translation>
    </message>
    <message>
        <source>In the end, %1 reached %2, and %3 reached %4.</source>
        <translation>Am Ende hat %1 %2 erreicht und %3 %4.</translation>
    </message>
    <message>
        <source>The game is a draw: both have a return of %1.</source>
        <translation>Das Spiel ist unentschieden: Beide haben einen Ertrag von %1.</translation>
    </message>
    <message>
        <source>%1 is stronger than %2: the interval excludes 50 %.</source>
        <translation>%1 ist stärker als %2: Das Intervall schließt 50 % aus.</translation>
    </message>
    <message>
        <source>%1 is better than %2: the interval of the difference excludes 0.</source>
        <translation>%1 ist besser als %2: Das Intervall des Unterschieds schließt 0 aus.</translation>
    </message>
    <message>
        <source>%1 won, with a return of %2 against %3.</source>
        <translation>Gewonnen hat %1, mit einem Ertrag von %2 gegen %3.</translation>
    </message>
    <message>
        <source>%1 won.</source>
        <translation>%1 hat gewonnen.</translation>
    </message>
    <message>
        <source>%1 won by %2 points.</source>
        <translation>%1 hat mit %2 Punkten Vorsprung gewonnen.</translation>
    </message>
</context>
<context>
    <name>seedbed::ui::DuelVerdict</name>
    <message>
        <source>Verdict</source>
        <translation>Urteil</translation>
    </message>
</context>
<context>
    <name>seedbed::ui::Editor</name>
    <message>
        <source>The change was not saved: %1</source>
        <translation>Die Änderung wurde nicht gespeichert: %1</translation>
    </message>
    <message>
        <source>Rename</source>
        <translation>Umbenennen</translation>
    </message>
    <message>
        <source>Edit notes</source>
        <translation>Notizen ändern</translation>
    </message>
    <message>
        <source>Star</source>
        <translation>Stern</translation>
    </message>
    <message>
        <source>Remove star</source>
        <translation>Stern entfernen</translation>
    </message>
    <message>
        <source>Archive</source>
        <translation>Archivieren</translation>
    </message>
    <message>
        <source>Restore from the archive</source>
        <translation>Aus dem Archiv holen</translation>
    </message>
    <message>
        <source>Move to trash</source>
        <translation>In den Papierkorb legen</translation>
    </message>
    <message>
        <source>Restore from trash</source>
        <translation>Aus dem Papierkorb holen</translation>
    </message>
    <message>
        <source>Add tag</source>
        <translation>Schlagwort hinzufügen</translation>
    </message>
    <message>
        <source>Remove tag</source>
        <translation>Schlagwort entfernen</translation>
    </message>
    <message>
        <source>Edit tags</source>
        <translation>Schlagwörter ändern</translation>
    </message>
</context>
<context>
    <name>seedbed::ui::EventList</name>
    <message>
        <source>When</source>
        <translation>Wann</translation>
    </message>
    <message>
        <source>Step</source>
        <translation>Schritt</translation>
    </message>
    <message>
        <source>Event</source>
        <translation>Ereignis</translation>
    </message>
    <message>
        <source>Events</source>
        <translation>Ereignisse</translation>
    </message>
    <message>
        <source>Error: </source>
        <translation>Fehler: </translation>
    </message>
    <message>
        <source>Warning: </source>
        <translation>Warnung: </translation>
    </message>
</context>
<context>
    <name>seedbed::ui::ExplainPopup</name>
    <message>
        <source>Copy as text</source>
        <translation>Als Text kopieren</translation>
    </message>
</context>
<context>
    <name>seedbed::ui::Explained</name>
    <message>
        <source>95 % percentile bootstrap: the mean is computed again for 2,000 random draws of the runs with replacement. It is widened for few runs (√(n / (n − 1)) times Student's t over 1.96) and limited to the range of returns, if the environment states one. None for fewer than 3 runs.</source>
        <translation>95 %, Perzentil-Bootstrap: Das Mittel wird für 2.000 zufällige Ziehungen der Läufe mit Zurücklegen neu berechnet. Bei wenigen Läufen wird es verbreitert (√(n / (n − 1)) mal Students t durch 1,96) und auf den Bereich der Erträge begrenzt, falls die Umgebung einen nennt. Keines bei weniger als 3 Läufen.</translation>
    </message>
    <message>
        <source>Number of runs</source>
        <translation>Zahl der Läufe</translation>
    </message>
    <message>
        <source>The runs of the group that have a score. If several runs have the same seed, only the newest counts.</source>
        <translation>Die Läufe der Gruppe, die eine Punktzahl haben. Von Läufen mit gleichem Seed zählt der neueste.</translation>
    </message>
    <message>
        <source>It is the number of trainings, not of episodes: more episodes of the same runs do not show what other seeds would do. Five or more are needed for a verdict.</source>
        <translation>Es ist die Zahl der Trainings, nicht der Episoden: Mehr Episoden derselben Läufe zeigen nicht, was andere Seeds ergäben. Für ein Urteil sind fünf oder mehr nötig.</translation>
    </message>
    <message>
        <source>Score</source>
        <translation>Punktzahl</translation>
    </message>
    <message>
        <source>Interquartile mean: the mean of the middle half of the runs' scores (Agarwal et al. 2021). The mean for fewer than 4 runs.</source>
        <translation>Interquartilmittel: das Mittel der mittleren Hälfte der Punktzahlen der Läufe (Agarwal et al. 2021). Bei weniger als 4 Läufen das Mittel.</translation>
    </message>
    <message>
        <source>It holds for this environment and step. It does not show how fast the runs learned, nor whether the group is better than another one; the difference does.</source>
        <translation>Sie gilt für diese Umgebung und diesen Schritt. Sie sagt weder, wie schnell die Läufe lernten, noch, ob die Gruppe besser als eine andere ist: Das sagt der Unterschied.</translation>
    </message>
    <message>
        <source>95 % interval of the score</source>
        <translation>95-%-Intervall der Punktzahl</translation>
    </message>
    <message>
        <source>If the same number of other seeds were trained repeatedly, about 95 % of such intervals would contain the score of very many seeds.</source>
        <translation>Würden immer wieder ebenso viele andere Seeds trainiert, enthielten etwa 95 % solcher Intervalle die Punktzahl sehr vieler Seeds.</translation>
    </message>
    <message>
        <source>It is not the range of single runs or episodes. Groups whose intervals overlap may still differ: the p value decides that.</source>
        <translation>Es ist nicht der Bereich einzelner Läufe oder Episoden. Auch Gruppen, deren Intervalle sich überlappen, können sich unterscheiden: Darüber entscheidet der p-Wert.</translation>
    </message>
    <message>
        <source>Lowest and highest score</source>
        <translation>Niedrigste und höchste Punktzahl</translation>
    </message>
    <message>
        <source>The lowest and the highest score of a run of the group.</source>
        <translation>Die niedrigste und die höchste Punktzahl eines Laufs der Gruppe.</translation>
    </message>
    <message>
        <source>It grows with the number of runs, so it cannot be compared between groups of different sizes.</source>
        <translation>Der Bereich wächst mit der Zahl der Läufe und lässt sich deshalb zwischen verschieden großen Gruppen nicht vergleichen.</translation>
    </message>
    <message>
        <source>Difference from the baseline</source>
        <translation>Unterschied zum Maßstab</translation>
    </message>
    <message>
        <source>The score of the group minus that of the baseline.</source>
        <translation>Die Punktzahl der Gruppe minus die des Maßstabs.</translation>
    </message>
    <message>
        <source>The differences that the two-sided permutation test does not reject at 5 %. It excludes 0 if and only if p ≤ 0.05. None if there are too few runs.</source>
        <translation>Die Unterschiede, die der zweiseitige Permutationstest zu 5 % nicht verwirft. Es schließt 0 genau dann aus, wenn p ≤ 0,05. Keines bei zu wenigen Läufen.</translation>
    </message>
    <message>
        <source>It compares scores at one step. It does not show which setting learned faster, nor that the difference is the same in other environments or after longer training.</source>
        <translation>Verglichen werden Punktzahlen zu einem Schritt. Das sagt weder, welche Einstellung schneller lernte, noch, dass der Unterschied in anderen Umgebungen oder nach längerem Training gleich ist.</translation>
    </message>
    <message>
        <source>Probability of improvement</source>
        <translation>Wahrscheinlichkeit einer Verbesserung</translation>
    </message>
    <message>
        <source>The share of all pairs of a run of the group and a run of the baseline in which the group's run has the higher score; ties count half (Agarwal et al. 2021).</source>
        <translation>Der Anteil aller Paare aus einem Lauf der Gruppe und einem des Maßstabs, in denen der Lauf der Gruppe die höhere Punktzahl hat; Gleichstand zählt halb (Agarwal et al. 2021).</translation>
    </message>
    <message>
        <source>The shares that belong to the ends of the interval of the difference.</source>
        <translation>Die Anteile, die zu den Enden des Intervalls des Unterschieds gehören.</translation>
    </message>
    <message>
        <source>It states how often a run is better, not by how much.</source>
        <translation>Sie sagt, wie oft ein Lauf besser ist, nicht um wie viel.</translation>
    </message>
    <message>
        <source>p value</source>
        <translation>p-Wert</translation>
    </message>
    <message>
        <source>Two-sided permutation test of the difference: the share of all ways to divide these runs into two groups of these sizes that differ at least as much. Exact up to 20,000 ways, otherwise of 20,000 random ones.</source>
        <translation>Zweiseitiger Permutationstest des Unterschieds: der Anteil aller Aufteilungen dieser Läufe in zwei Gruppen dieser Größen, die sich mindestens ebenso stark unterscheiden. Exakt bis 20.000 Aufteilungen, sonst aus 20.000 zufälligen.</translation>
    </message>
    <message>
        <source>It is not the probability that the settings are equally good, and a high value does not show that they are. It is not corrected for the number of groups: about one in twenty groups without a real difference has p ≤ 0.05.</source>
        <translation>Er ist nicht die Wahrscheinlichkeit, dass die Einstellungen gleich gut sind, und ein hoher Wert zeigt das auch nicht. Er ist nicht für die Zahl der Gruppen korrigiert: Etwa eine von zwanzig Gruppen ohne wirklichen Unterschied hat p ≤ 0,05.</translation>
    </message>
    <message>
        <source>Verdict</source>
        <translation>Urteil</translation>
    </message>
    <message>
        <source>“Better” or “worse” if p ≤ 0.05 in the two-sided permutation test of the difference. “Too few seeds” if a side has fewer than 5 and the test shows no difference.</source>
        <translation>„Besser“ oder „schlechter“, wenn p ≤ 0,05 im zweiseitigen Permutationstest des Unterschieds. „Zu wenige Seeds“, wenn eine Seite weniger als 5 hat und der Test keinen Unterschied zeigt.</translation>
    </message>
    <message>
        <source>That of the difference: what the test does not reject at 5 %.</source>
        <translation>Das des Unterschieds: was der Test zu 5 % nicht verwirft.</translation>
    </message>
    <message>
        <source>It holds for this environment, step and kind of episodes. “No difference can be shown” does not mean that the settings are equal.</source>
        <translation>Es gilt für diese Umgebung, diesen Schritt und diese Art von Episoden. „Kein Unterschied nachweisbar“ heißt nicht, dass die Einstellungen gleich gut sind.</translation>
    </message>
    <message>
        <source>When the goal was reached</source>
        <translation>Wann das Ziel erreicht wurde</translation>
    </message>
    <message>
        <source>The median step at which an evaluation first reached the environment's goal; the number of runs if not all of them did.</source>
        <translation>Der mittlere Schritt (Median), bei dem eine Auswertung zuerst das Ziel der Umgebung erreichte; die Zahl der Läufe, wenn nicht alle es erreichten.</translation>
    </message>
    <message>
        <source>It is not more precise than the pause between evaluations, and a run that reached the goal once may have fallen below it later.</source>
        <translation>Genauer als der Abstand der Auswertungen ist das nicht, und ein Lauf, der das Ziel einmal erreichte, kann später darunter gefallen sein.</translation>
    </message>
    <message>
        <source>No run of the group has a finished episode yet.</source>
        <translation>Noch kein Lauf der Gruppe hat eine beendete Episode.</translation>
    </message>
    <message>
        <source>the mean return of its latest evaluation, with greedy actions</source>
        <translation>der mittlere Ertrag seiner neuesten Auswertung mit Greedy-Aktionen</translation>
    </message>
    <message>
        <source>the mean return of its latest evaluation, with sampled actions</source>
        <translation>der mittlere Ertrag seiner neuesten Auswertung mit gezogenen Aktionen</translation>
    </message>
    <message>
        <source>the mean return of its last 100 training episodes</source>
        <translation>der mittlere Ertrag seiner letzten 100 Trainingsepisoden</translation>
    </message>
    <message numerus="yes">
        <source>%n run(s): %1; seeds: %2; scores: %3.</source>
        <translation>
            <numerusform>%n Lauf: %1; Seeds: %2; Punktzahlen: %3.</numerusform>
            <numerusform>%n Läufe: %1; Seeds: %2; Punktzahlen: %3.</numerusform>
        </translation>
    </message>
    <message>
        <source>The score of a run is %1</source>
        <translation>Die Punktzahl eines Laufs ist %1</translation>
    </message>
    <message>
        <source>at step %1</source>
        <translation>bei Schritt %1</translation>
    </message>
    <message>
        <source>at steps %1 to %2</source>
        <translation>bei den Schritten %1 bis %2</translation>
    </message>
    <message>
        <source>Later scores are not used: this is the last step that all runs have reached.</source>
        <translation>Spätere Punktzahlen zählen nicht: Das ist der letzte Schritt, den alle Läufe erreicht haben.</translation>
    </message>
    <message>
        <source>run %1 at step %2</source>
        <translation>Lauf %1 bei Schritt %2</translation>
    </message>
    <message>
        <source>run %1 not yet</source>
        <translation>Lauf %1 noch nicht</translation>
    </message>
    <message>
        <source>The evaluations of each run: %1.</source>
        <translation>Die Auswertungen jedes Laufs: %1.</translation>
    </message>
    <message>
        <source>How</source>
        <translation>Wie</translation>
    </message>
    <message>
        <source>Interval</source>
        <translation>Intervall</translation>
    </message>
    <message>
        <source>Limits</source>
        <translation>Grenzen</translation>
    </message>
    <message>
        <source>From</source>
        <translation>Woraus</translation>
    </message>
    <message>
        <source>Against %1</source>
        <translation>Gegen %1</translation>
    </message>
    <message>
        <source>95 % percentile bootstrap: computed again for 2,000 random draws of the runs with replacement, within each task. It is not widened, so it is too narrow for few runs.</source>
        <translation>95 %, Perzentil-Bootstrap: für 2.000 zufällige Ziehungen der Läufe mit Zurücklegen innerhalb jeder Aufgabe neu berechnet. Es wird nicht verbreitert und ist deshalb bei wenigen Läufen zu eng.</translation>
    </message>
    <message>
        <source>Number of runs over tasks</source>
        <translation>Zahl der Läufe über Aufgaben</translation>
    </message>
    <message>
        <source>All runs of the method, of all tasks.</source>
        <translation>Alle Läufe des Verfahrens, von allen Aufgaben.</translation>
    </message>
    <message>
        <source>The task with the fewest runs limits how precise the other numbers are.</source>
        <translation>Die Aufgabe mit den wenigsten Läufen begrenzt, wie genau die anderen Zahlen sind.</translation>
    </message>
    <message>
        <source>Interquartile mean over tasks</source>
        <translation>Interquartilmittel über Aufgaben</translation>
    </message>
    <message>
        <source>The mean of the middle half of the normalised scores of all runs of all tasks (Agarwal et al. 2021).</source>
        <translation>Das Mittel der mittleren Hälfte der normierten Punktzahlen aller Läufe aller Aufgaben (Agarwal et al. 2021).</translation>
    </message>
    <message>
        <source>It leaves out the worst and the best quarter of the runs, so it does not show tasks at which a method fails or excels: the profile does.</source>
        <translation>Das schlechteste und das beste Viertel der Läufe bleiben außer Acht; Aufgaben, an denen ein Verfahren scheitert oder glänzt, zeigt deshalb erst das Profil.</translation>
    </message>
    <message>
        <source>Median over tasks</source>
        <translation>Median über Aufgaben</translation>
    </message>
    <message>
        <source>The median over tasks of the mean normalised score over the task's runs.</source>
        <translation>Der Median über die Aufgaben der mittleren normierten Punktzahl der Läufe der Aufgabe.</translation>
    </message>
    <message>
        <source>It does not change when almost half of the tasks get worse.</source>
        <translation>Er ändert sich nicht, wenn fast die Hälfte der Aufgaben schlechter wird.</translation>
    </message>
    <message>
        <source>Mean over tasks</source>
        <translation>Mittel über Aufgaben</translation>
    </message>
    <message>
        <source>The mean over tasks of the mean normalised score over the task's runs.</source>
        <translation>Das Mittel über die Aufgaben der mittleren normierten Punktzahl der Läufe der Aufgabe.</translation>
    </message>
    <message>
        <source>A single task with extreme scores can decide it.</source>
        <translation>Eine einzige Aufgabe mit extremen Punktzahlen kann es bestimmen.</translation>
    </message>
    <message>
        <source>Optimality gap</source>
        <translation>Abstand zum Ziel</translation>
    </message>
    <message>
        <source>By how much runs miss the goal on average: the mean over all runs of max(0, 1 − normalised score). Lower is better.</source>
        <translation>Um wie viel Läufe das Ziel im Mittel verfehlen: das Mittel über alle Läufe von max(0, 1 − normierte Punktzahl). Weniger ist besser.</translation>
    </message>
    <message>
        <source>Scores above the goal do not count, so methods that all reach it are not distinguished.</source>
        <translation>Punktzahlen über dem Ziel zählen nicht; Verfahren, die es alle erreichen, werden nicht unterschieden.</translation>
    </message>
    <message>
        <source>Probability of improvement over tasks</source>
        <translation>Wahrscheinlichkeit einer Verbesserung über Aufgaben</translation>
    </message>
    <message>
        <source>The probability that a run scores higher than a run of the first method at the same task, averaged over tasks; ties count half (Agarwal et al. 2021).</source>
        <translation>Die Wahrscheinlichkeit, dass ein Lauf mehr Punkte hat als ein Lauf des ersten Verfahrens bei derselben Aufgabe, gemittelt über die Aufgaben; Gleichstand zählt halb (Agarwal et al. 2021).</translation>
    </message>
    <message>
        <source>It states how often a run is better, not by how much, and it is not a test.</source>
        <translation>Sie sagt, wie oft ein Lauf besser ist, nicht um wie viel, und sie ist kein Test.</translation>
    </message>
    <message>
        <source>Performance profile</source>
        <translation>Leistungsprofil</translation>
    </message>
    <message>
        <source>For each normalised score the share of runs above it, averaged over tasks (Agarwal et al. 2021, section 4.2).</source>
        <translation>Zu jeder normierten Punktzahl der Anteil der Läufe darüber, gemittelt über die Aufgaben (Agarwal et al. 2021, Abschnitt 4.2).</translation>
    </message>
    <message>
        <source>If two profiles cross, neither method is better at every level. It does not show which tasks the runs above a score belong to.</source>
        <translation>Kreuzen sich zwei Profile, ist kein Verfahren auf jeder Stufe besser. Es zeigt nicht, zu welchen Aufgaben die Läufe über einer Punktzahl gehören.</translation>
    </message>
    <message numerus="yes">
        <source>%n run(s), at least %1 of each task, with the mean return of each run (%2 episodes).</source>
        <translation>
            <numerusform>%n Lauf, mindestens %1 je Aufgabe, mit dem mittleren Ertrag jedes Laufs (Episoden: %2).</numerusform>
            <numerusform>%n Läufe, mindestens %1 je Aufgabe, mit dem mittleren Ertrag jedes Laufs (Episoden: %2).</numerusform>
        </translation>
    </message>
    <message>
        <source>Normalised: 0 is random play, 1 the goal: %1.</source>
        <translation>Normiert: 0 ist zufälliges Spiel, 1 das Ziel: %1.</translation>
    </message>
</context>
<context>
    <name>seedbed::ui::ExportPage</name>
    <message>
        <source>Copy as command</source>
        <translation>Als Befehl kopieren</translation>
    </message>
    <message>
        <source>Open folder</source>
        <translation>Ordner öffnen</translation>
    </message>
    <message>
        <source>Export</source>
        <translation>Exportieren</translation>
    </message>
    <message>
        <source>Formats</source>
        <translation>Formate</translation>
    </message>
    <message>
        <source>Contents</source>
        <translation>Inhalt</translation>
    </message>
    <message>
        <source>Weights</source>
        <translation>Gewichte</translation>
    </message>
    <message>
        <source>&amp;Weights</source>
        <translation>&amp;Gewichte</translation>
    </message>
    <message>
        <source>Always included: normalisation and clipping of observations, and scaling of actions. The calling program stacks frames; the description states how many. Weights, settings, interface, stored test inputs and the verification results are added to every format.</source>
        <translation>Immer enthalten: die Normalisierung der Beobachtungen, ihre Begrenzung und die Skalierung der Aktionen. Bildstapel stellt das aufrufende Programm zusammen; die Beschreibung nennt die Zahl der Bilder. Gewichte, Einstellungen, Schnittstelle, gespeicherte Testeingaben und der Beweis liegen jeder Form bei.</translation>
    </message>
    <message>
        <source>Folder</source>
        <translation>Ordner</translation>
    </message>
    <message>
        <source>New folder</source>
        <translation>Ordner, der angelegt wird</translation>
    </message>
    <message>
        <source>Choose…</source>
        <translation>Auswählen …</translation>
    </message>
    <message>
        <source>Choose the folder</source>
        <translation>Den Ordner auswählen</translation>
    </message>
    <message>
        <source>Choose an empty folder, or the parent of a new one</source>
        <translation>Ein leerer Ordner oder einer, in dem ein neuer angelegt wird</translation>
    </message>
    <message>
        <source>Exporting and checking</source>
        <translation>Die Formen werden geschrieben und geprüft</translation>
    </message>
    <message>
        <source>Verification that the exported policy equals the trained one</source>
        <translation>Nachweis, dass die exportierte Policy der trainierten gleicht</translation>
    </message>
    <message>
        <source>Format</source>
        <translation>Format</translation>
    </message>
    <message>
        <source>Largest difference</source>
        <translation>Größte Abweichung</translation>
    </message>
    <message>
        <source>Equal decisions</source>
        <translation>Gleiche Entscheidungen</translation>
    </message>
    <message>
        <source>Return: trained, exported</source>
        <translation>Ertrag: trainiert, exportiert</translation>
    </message>
    <message>
        <source>Checked with</source>
        <translation>Geprüft mit</translation>
    </message>
    <message>
        <source>Run %1</source>
        <translation>Lauf %1</translation>
    </message>
    <message>
        <source>newest</source>
        <translation>neuester</translation>
    </message>
    <message>
        <source>best</source>
        <translation>bester</translation>
    </message>
    <message>
        <source>step %1</source>
        <translation>Schritt %1</translation>
    </message>
    <message>
        <source>This run has no checkpoint yet. Try again in a few seconds, after the first one is saved.</source>
        <translation>Dieser Lauf hat noch keinen Speicherstand. Er wird in den ersten Sekunden gesichert; versuche es dann noch einmal.</translation>
    </message>
    <message>
        <source>policy</source>
        <translation>policy</translation>
    </message>
    <message>
        <source>Before it is written, every format is compared with the trained network on stored test inputs and in whole episodes. A format that differs is not written.</source>
        <translation>Vor dem Schreiben wird jedes Format mit dem trainierten Netz verglichen: auf gespeicherten Testeingaben und in ganzen Episoden. Ein Format, das abweicht, wird nicht geschrieben.</translation>
    </message>
    <message>
        <source>Choose at least one format.</source>
        <translation>Wähle mindestens ein Format.</translation>
    </message>
    <message>
        <source>The verification failed: %1</source>
        <translation>Die Prüfung ist gescheitert: %1</translation>
    </message>
    <message numerus="yes">
        <source>Verified and written: %n file(s) in %1, in %2.</source>
        <translation>
            <numerusform>Geprüft und geschrieben: %n Datei in %1, in %2.</numerusform>
            <numerusform>Geprüft und geschrieben: %n Dateien in %1, in %2.</numerusform>
        </translation>
    </message>
    <message>
        <source>%1 (%2 allowed)</source>
        <translation>%1 (erlaubt %2)</translation>
    </message>
    <message>
        <source>not compared: %1</source>
        <translation>nicht verglichen: %1</translation>
    </message>
    <message>
        <source>%1 of %2 in %3 episodes</source>
        <translation>%1 von %2 in %3 Episoden</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>Schließen</translation>
    </message>
    <message>
        <source>default: %1</source>
        <translation>Standard: %1</translation>
    </message>
    <message>
        <source>%1; best evaluation %2</source>
        <translation>%1; beste Auswertung %2</translation>
    </message>
    <message>
        <source>%1; best training return %2</source>
        <translation>%1; bester Ertrag im Training %2</translation>
    </message>
    <message>
        <source>Choices and result</source>
        <translation>Auswahl und Ergebnis</translation>
    </message>
    <message>
        <source>Imported policy %1</source>
        <translation>Importierte Policy %1</translation>
    </message>
    <message>
        <source>imported</source>
        <translation>importiert</translation>
    </message>
    <message>
        <source>%1, trained with %2</source>
        <translation>%1, trainiert mit %2</translation>
    </message>
</context>
<context>
    <name>seedbed::ui::FleetWatch</name>
    <message>
        <source>The launch on this machine</source>
        <translation>Der Auftrag auf diesem Rechner</translation>
    </message>
    <message>
        <source>The launch on %1</source>
        <translation>Der Auftrag auf %1</translation>
    </message>
    <message>
        <source>The job of %1</source>
        <translation>Der Auftrag von %1</translation>
    </message>
    <message>
        <source>Slurm job %1</source>
        <translation>Slurm-Auftrag %1</translation>
    </message>
    <message>
        <source>Ray job %1</source>
        <translation>Ray-Auftrag %1</translation>
    </message>
    <message>
        <source>Kubernetes job %1</source>
        <translation>Kubernetes-Auftrag %1</translation>
    </message>
    <message>
        <source>waiting for an actor</source>
        <translation>wartet auf einen Akteur</translation>
    </message>
    <message>
        <source>connected</source>
        <translation>verbunden</translation>
    </message>
    <message numerus="yes">
        <source>%1, lost %n time(s)</source>
        <comment>state of an actor</comment>
        <translation>
            <numerusform>%1, %n-mal verloren</numerusform>
            <numerusform>%1, %n-mal verloren</numerusform>
        </translation>
    </message>
    <message>
        <source>%1 is pending</source>
        <translation>%1 wartet</translation>
    </message>
    <message>
        <source>%1 is running</source>
        <translation>%1 läuft</translation>
    </message>
    <message>
        <source>%1 has ended</source>
        <translation>%1 ist beendet</translation>
    </message>
    <message>
        <source>%1 has failed</source>
        <translation>%1 ist fehlgeschlagen</translation>
    </message>
    <message>
        <source>%1 has an unknown state</source>
        <translation>%1 hat einen unbekannten Zustand</translation>
    </message>
    <message>
        <source>%1, %2 of %3 actors</source>
        <translation>%1, %2 von %3 Akteuren</translation>
    </message>
    <message>
        <source>Actors: %1 of %2 connected, %3 steps per second.</source>
        <translation>Akteure: %1 von %2 verbunden, %3 Schritte pro Sekunde.</translation>
    </message>
    <message numerus="yes">
        <source>%n group(s) are waiting for an actor.</source>
        <translation>
            <numerusform>%n Gruppe wartet auf einen Akteur.</numerusform>
            <numerusform>%n Gruppen warten auf einen Akteur.</numerusform>
        </translation>
    </message>
    <message>
        <source>The pending job will start actors.</source>
        <translation>Der wartende Auftrag wird Akteure starten.</translation>
    </message>
    <message>
        <source>If actors that are running do not connect, their log contains the reason. This command starts more: %1</source>
        <translation>Wenn sich laufende Akteure nicht verbinden, steht der Grund in ihrem Protokoll. Dieser Befehl startet weitere: %1</translation>
    </message>
    <message>
        <source>Start actors with this command: %1</source>
        <translation>Starte Akteure mit diesem Befehl: %1</translation>
    </message>
    <message>
        <source>actor</source>
        <translation>Akteur</translation>
    </message>
    <message>
        <source>learner</source>
        <translation>Lerner</translation>
    </message>
</context>
<context>
    <name>seedbed::ui::FollowRunDialog</name>
    <message>
        <source>Add versions of a run to “%1”</source>
        <translation>Versionen eines Laufs zu „%1“ hinzufügen</translation>
    </message>
    <message>
        <source>Each checkpoint of the run joins, also new ones while it trains, and plays a match against every other member. Checkpoints that the run has removed cannot join.</source>
        <translation>Jeder Speicherstand des Laufs kommt hinzu, auch neue während des Trainings, und spielt eine Partie gegen jedes andere Mitglied. Speicherstände, die der Lauf entfernt hat, können nicht hinzukommen.</translation>
    </message>
    <message>
        <source>Run</source>
        <translation>Lauf</translation>
    </message>
    <message>
        <source>&amp;Run</source>
        <translation>&amp;Lauf</translation>
    </message>
    <message>
        <source>Add every n-th checkpoint</source>
        <translation>Jeden n-ten Speicherstand hinzufügen</translation>
    </message>
    <message>
        <source>Add &amp;every n-th checkpoint</source>
        <translation>&amp;Jeden n-ten Speicherstand hinzufügen</translation>
    </message>
    <message>
        <source>Follow the run</source>
        <translation>Dem Lauf folgen</translation>
    </message>
    <message>
        <source>%1: %2, %3 steps, in progress</source>
        <translation>%1: %2, %3 Schritte, läuft</translation>
    </message>
    <message>
        <source>%1: %2, %3 steps</source>
        <translation>%1: %2, %3 Schritte</translation>
    </message>
</context>
<context>
    <name>seedbed::ui::GalleryView</name>
    <message>
        <source>easy</source>
        <translation>leicht</translation>
    </message>
    <message>
        <source>medium</source>
        <translation>mittel</translation>
    </message>
    <message>
        <source>hard</source>
        <translation>schwer</translation>
    </message>
    <message>
        <source>What should an agent learn?</source>
        <translation>Was soll ein Agent lernen?</translation>
    </message>
    <message>
        <source>Search environments</source>
        <translation>Umgebungen suchen</translation>
    </message>
    <message>
        <source>Difficulty</source>
        <translation>Schwierigkeit</translation>
    </message>
    <message>
        <source>No environment matches. Clear the search to see all of them.</source>
        <translation>Keine Umgebung passt. Leere die Suche, um alle zu sehen.</translation>
    </message>
    <message>
        <source>goal %1</source>
        <translation>Ziel %1</translation>
    </message>
    <message>
        <source>reference %1</source>
        <translation>Referenz %1</translation>
    </message>
    <message>
        <source>random %1</source>
        <translation>zufällig %1</translation>
    </message>
    <message>
        <source>Train</source>
        <translation>Trainieren</translation>
    </message>
    <message>
        <source>Train %1</source>
        <translation>%1 trainieren</translation>
    </message>
    <message>
        <source>There is no preset yet: choose Customize</source>
        <translation>Dafür gibt es noch keine Voreinstellung: Wähle „Anpassen“</translation>
    </message>
    <message>
        <source>Customize…</source>
        <translation>Anpassen …</translation>
    </message>
    <message>
        <source>Customize %1</source>
        <translation>%1 anpassen</translation>
    </message>
    <message>
        <source>Starting…</source>
        <translation>Startet …</translation>
    </message>
    <message>
        <source>training time: not measured yet</source>
        <translation>Dauer hier: noch nicht gemessen</translation>
    </message>
    <message>
        <source>%1 to reach the goal</source>
        <translation>%1 bis zum Ziel auf diesem Rechner</translation>
    </message>
    <message>
        <source>%1 for all steps; no result recorded</source>
        <translation>%1 für alle Schritte; kein Ergebnis verzeichnet</translation>
    </message>
    <message>
        <source>There is no environment of this difficulty.</source>
        <translation>Keine Umgebung hat diese Schwierigkeit.</translation>
    </message>
    <message>
        <source>No environment of this difficulty matches. Clear the search or choose all difficulties.</source>
        <translation>Keine Umgebung dieser Schwierigkeit passt. Leere die Suche oder wähle alle Schwierigkeiten.</translation>
    </message>
    <message>
        <source>%1 for all steps</source>
        <translation>%1 für alle Schritte</translation>
    </message>
    <message>
        <source>Your own…</source>
        <translation>Eigene…</translation>
    </message>
    <message>
        <source>Your own environment…</source>
        <translation>Eigene Umgebung…</translation>
    </message>
    <message>
        <source>A Python class or an id registered with Gymnasium</source>
        <translation>Eine Python-Klasse oder ein Name, den Gymnasium kennt</translation>
    </message>
    <message>
        <source>Yours</source>
        <translation>Eigene</translation>
    </message>
    <message>
        <source>Edit…</source>
        <translation>Bearbeiten…</translation>
    </message>
    <message>
        <source>Edit %1</source>
        <translation>%1 bearbeiten</translation>
    </message>
    <message>
        <source>no preset: default settings, %1 steps</source>
        <translation>ohne Voreinstellung: Standardwerte, %1 Schritte</translation>
    </message>
    <message>
        <source>Solved in %1 on this PC</source>
        <translation>Hier in %1 gelöst</translation>
    </message>
    <message>
        <source>Search all environments</source>
        <translation>Alle Umgebungen durchsuchen</translation>
    </message>
    <message>
        <source>Any difficulty</source>
        <translation>Jede Schwierigkeit</translation>
    </message>
    <message>
        <source>%1 · pack</source>
        <translation>%1 · Paket</translation>
    </message>
    <message>
        <source>All</source>
        <comment>all families of environments</comment>
        <translation>Alle</translation>
    </message>
    <message>
        <source>Environments: %1</source>
        <translation>Umgebungen: %1</translation>
    </message>
    <message>
        <source>Solved, not timed on this PC yet</source>
        <translation>Gelöst, hier noch nicht gemessen</translation>
    </message>
    <message>
        <source>No tried settings yet</source>
        <translation>Noch keine erprobten Einstellungen</translation>
    </message>
    <message>
        <source>Not tried yet: default settings</source>
        <translation>Noch nicht erprobt: Vorgaben</translation>
    </message>
    <message>
        <source>No goal: %1</source>
        <translation>Kein Ziel: %1</translation>
    </message>
    <message>
        <source>Not trained to the end yet</source>
        <translation>Noch nicht zu Ende trainiert</translation>
    </message>
    <message>
        <source>More in packs…</source>
        <translation>Mehr in Paketen …</translation>
    </message>
    <message>
        <source>Atari, MuJoCo and other environments that can be installed</source>
        <translation>Atari, MuJoCo und andere Umgebungen, die du installieren kannst</translation>
    </message>
    <message>
        <source>its runs reach %1 on average, but not every one reaches %2</source>
        <translation>seine Läufe erreichen im Mittel %1, aber nicht jeder erreicht %2</translation>
    </message>
</context>
<context>
    <name>seedbed::ui::GroupRow</name>
    <message>
        <source>Runs %1</source>
        <translation>Läufe %1</translation>
    </message>
    <message>
        <source>return %1</source>
        <translation>Ertrag %1</translation>
    </message>
    <message>
        <source>difference %1</source>
        <translation>Unterschied %1</translation>
    </message>
    <message>
        <source>Show the curve of %1</source>
        <translation>Kurve von %1 zeigen</translation>
    </message>
    <message>
        <source>Show or hide the curve</source>
        <translation>Kurve zeigen oder ausblenden</translation>
    </message>
    <message>
        <source>Menu of %1</source>
        <translation>Menü von %1</translation>
    </message>
    <message>
        <source>Baseline, seeds, remove</source>
        <translation>Maßstab, Seeds, entfernen</translation>
    </message>
    <message>
        <source>The median step at which an evaluation first reached the goal, or how many runs reached it</source>
        <translation>Der mittlere Schritt, bei dem eine Auswertung zuerst das Ziel erreichte, oder wie viele Läufe es erreichten</translation>
    </message>
</context>
<context>
    <name>seedbed::ui::GroupRows</name>
    <message>
        <source>Setting</source>
        <translation>Einstellung</translation>
    </message>
    <message>
        <source>Runs</source>
        <translation>Läufe</translation>
    </message>
    <message>
        <source>Curve</source>
        <translation>Kurve</translation>
    </message>
    <message>
        <source>Return</source>
        <translation>Ertrag</translation>
    </message>
    <message>
        <source>Difference</source>
        <translation>Unterschied</translation>
    </message>
    <message>
        <source>Compared settings</source>
        <translation>Verglichene Einstellungen</translation>
    </message>
    <message>
        <source>Set as baseline</source>
        <translation>Als Maßstab festlegen</translation>
    </message>
    <message numerus="yes">
        <source>Queue %n more seed(s)</source>
        <translation>
            <numerusform>%n weiteren Seed einreihen</numerusform>
            <numerusform>%n weitere Seeds einreihen</numerusform>
        </translation>
    </message>
    <message>
        <source>Remove from the comparison</source>
        <translation>Aus dem Vergleich entfernen</translation>
    </message>
    <message>
        <source>Explain the return</source>
        <translation>Ertrag erklären</translation>
    </message>
    <message>
        <source>Explain the difference</source>
        <translation>Unterschied erklären</translation>
    </message>
    <message>
        <source>Explain the goal</source>
        <translation>Ziel erklären</translation>
    </message>
    <message>
        <source>Result</source>
        <translation>Ergebnis</translation>
    </message>
</context>
<context>
    <name>seedbed::ui::GroupsView</name>
    <message>
        <source>Group</source>
        <translation>Gruppe</translation>
    </message>
    <message>
        <source>n</source>
        <translation>n</translation>
    </message>
    <message>
        <source>Score</source>
        <translation>Punktzahl</translation>
    </message>
    <message>
        <source>95 % interval</source>
        <translation>95-%-Intervall</translation>
    </message>
    <message>
        <source>Min – max</source>
        <translation>Niedrigster – höchster</translation>
    </message>
    <message>
        <source>Difference</source>
        <translation>Unterschied</translation>
    </message>
    <message>
        <source>P(better)</source>
        <translation>P(besser)</translation>
    </message>
    <message>
        <source>Verdict</source>
        <translation>Urteil</translation>
    </message>
    <message>
        <source>Groups and their statistics</source>
        <translation>Gruppen und ihre Statistik</translation>
    </message>
    <message>
        <source>Pin as &amp;baseline</source>
        <translation>Als &amp;Vergleichsmaßstab festhalten</translation>
    </message>
    <message numerus="yes">
        <source>Queue %n more seed(s)</source>
        <translation>
            <numerusform>%n weiteren Seed anstellen</numerusform>
            <numerusform>%n weitere Seeds anstellen</numerusform>
        </translation>
    </message>
    <message>
        <source>Queue more seeds</source>
        <translation>Weitere Seeds anstellen</translation>
    </message>
    <message>
        <source>Runs %1</source>
        <translation>Läufe %1</translation>
    </message>
    <message>
        <source>no finished episode yet</source>
        <translation>noch keine Episode zu Ende</translation>
    </message>
    <message>
        <source>baseline</source>
        <translation>Maßstab</translation>
    </message>
    <message>
        <source>Probability that a run of this group scores higher than one of the baseline: 95 % interval %1</source>
        <translation>Wahrscheinlichkeit, dass ein Lauf dieser Gruppe mehr erreicht als einer des Maßstabs: 95-%-Intervall %1</translation>
    </message>
    <message>
        <source>Some runs were never evaluated: their scores are means over the last 100 training episodes.</source>
        <translation>Manche Läufe wurden nie ausgewertet: Bei ihnen zählen die letzten 100 Trainingsepisoden.</translation>
    </message>
    <message numerus="yes">
        <source>%n run(s) without finished episodes are not included.</source>
        <translation>
            <numerusform>%n Lauf ohne Episode ist nicht in der Statistik.</numerusform>
            <numerusform>%n Läufe ohne Episode sind nicht in der Statistik.</numerusform>
        </translation>
    </message>
    <message>
        <source>few seeds: intervals are unreliable below %1</source>
        <translation>wenige Seeds: unter %1 sagen Intervalle wenig</translation>
    </message>
    <message>
        <source>at the common step</source>
        <translation>beim gemeinsamen Schritt</translation>
    </message>
    <message>
        <source>at each run's last step</source>
        <translation>beim jeweils letzten Schritt</translation>
    </message>
    <message>
        <source>Scores</source>
        <translation>Punktzahlen</translation>
    </message>
    <message>
        <source>Sco&amp;res</source>
        <translation>Pun&amp;ktzahlen</translation>
    </message>
    <message>
        <source>at the common step %1</source>
        <translation>beim gemeinsamen Schritt %1</translation>
    </message>
    <message>
        <source>The selected runs have trained for the same number of steps</source>
        <translation>Die gewählten Läufe haben gleich viele Schritte trainiert</translation>
    </message>
    <message>
        <source>The selected runs have trained for different numbers of steps. The common step is the last one that all runs of an environment have reached; scores at that step are comparable. At each run's last step, longer runs have an advantage.</source>
        <translation>Die gewählten Läufe haben verschieden viele Schritte trainiert. Der gemeinsame Schritt ist der letzte, den alle Läufe einer Umgebung erreicht haben; Punktzahlen dort sind vergleichbar. Beim jeweils letzten Schritt sind längere Läufe im Vorteil.</translation>
    </message>
    <message>
        <source>Bands of curves are not widened. %1</source>
        <translation>Bänder von Kurven sind nicht verbreitert. %1</translation>
    </message>
    <message>
        <source>Scores at step %1, the last step that all runs have reached.</source>
        <translation>Punktzahlen bei Schritt %1, dem letzten, den alle Läufe erreicht haben.</translation>
    </message>
    <message>
        <source>The runs have trained for different numbers of steps: each score is from the run's own last step.</source>
        <translation>Die Läufe haben verschieden viele Schritte trainiert: Jede Punktzahl gilt für den eigenen letzten Schritt.</translation>
    </message>
    <message>
        <source>Groups are tested separately: about one in twenty groups without a real difference is reported as different.</source>
        <translation>Jede Gruppe wird für sich geprüft: Etwa eine von zwanzig Gruppen ohne wirklichen Unterschied wird als verschieden gemeldet.</translation>
    </message>
    <message>
        <source>Runs with the same settings and different seeds</source>
        <translation>Läufe mit gleichen Einstellungen und verschiedenen Seeds</translation>
    </message>
    <message>
        <source>Number of runs; “!”: the verdict contains notes</source>
        <translation>Zahl der Läufe; „!“ weist auf Anmerkungen hin, die beim Urteil stehen</translation>
    </message>
    <message>
        <source>Interquartile mean over the runs of the group; the mean for fewer than 4 runs</source>
        <translation>Interquartilmittel über die Läufe der Gruppe; bei weniger als 4 Läufen das Mittel</translation>
    </message>
    <message>
        <source>95 % interval of the score: percentile bootstrap over the runs, widened for few runs</source>
        <translation>95-%-Intervall der Punktzahl: Perzentil-Bootstrap über die Läufe, bei wenigen Läufen verbreitert</translation>
    </message>
    <message>
        <source>Lowest and highest score of a run</source>
        <translation>Niedrigste und höchste Punktzahl eines Laufs</translation>
    </message>
    <message>
        <source>Score minus the baseline's score, with the 95 % interval of the test</source>
        <translation>Punktzahl minus Punktzahl des Maßstabs, mit dem 95-%-Intervall des Tests</translation>
    </message>
    <message>
        <source>Probability that a random run of this group scores higher than one of the baseline</source>
        <translation>Wahrscheinlichkeit, dass ein zufälliger Lauf dieser Gruppe mehr erreicht als einer des Maßstabs</translation>
    </message>
    <message>
        <source>p value of the difference: two-sided permutation test against the baseline, not corrected for the number of groups; up to 0.05 counts as a difference</source>
        <translation>p-Wert des Unterschieds: zweiseitiger Permutationstest gegen den Maßstab, nicht für die Zahl der Gruppen korrigiert; bis 0,05 zählt als Unterschied</translation>
    </message>
    <message>
        <source>p value</source>
        <translation>p-Wert</translation>
    </message>
    <message>
        <source>Score of a run: its newest evaluation. Score of a group: interquartile mean (mean for fewer than 4 runs). Intervals: 95 % bootstrap over the runs of each group, widened for few runs. If several runs have the same seed, only the newest counts. p value: two-sided permutation test of the difference from the baseline; a difference is reported if p ≤ 0.05.</source>
        <translation>Punktzahl eines Laufs: seine neueste Auswertung; einer Gruppe: Interquartilmittel ab 4 Läufen, sonst Mittel. Intervalle: 95 %, Bootstrap über die Läufe jeder Gruppe, bei wenigen Läufen verbreitert. Von Läufen mit gleichem Seed zählt der neueste. p-Wert: zweiseitiger Permutationstest des Unterschieds zum Maßstab; Urteile verlangen p ≤ 0,05.</translation>
    </message>
    <message>
        <source>Result of testing the difference from the baseline</source>
        <translation>Ergebnis des Tests auf einen Unterschied zum Maßstab</translation>
    </message>
    <message>
        <source>Select runs in the table and compare them. Runs with the same settings and different seeds form a group.</source>
        <translation>Wählen Sie Läufe in der Tabelle und vergleichen Sie sie. Läufe mit gleichen Einstellungen und verschiedenen Seeds bilden eine Gruppe.</translation>
    </message>
    <message>
        <source>Explain this number</source>
        <translation>Diese Zahl erklären</translation>
    </message>
</context>
<context>
    <name>seedbed::ui::HeroCard</name>
    <message>
        <source>New here?</source>
        <translation>Neu hier?</translation>
    </message>
    <message>
        <source>Train your first agent</source>
        <translation>Trainieren Sie Ihren ersten Agenten</translation>
    </message>
    <message>
        <source>Train CartPole</source>
        <translation>CartPole trainieren</translation>
    </message>
    <message>
        <source>Bring your own environment</source>
        <translation>Eigene Umgebung verwenden</translation>
    </message>
    <message>
        <source>CartPole learns to balance in %1 on this computer. Press Train and watch it happen.</source>
        <translation>CartPole lernt auf diesem Computer in %1 zu balancieren. Starten Sie das Training und sehen Sie zu.</translation>
    </message>
    <message>
        <source>CartPole learns to balance a pole. Press Train and watch it happen.</source>
        <translation>CartPole lernt, einen Stab zu balancieren. Starten Sie das Training und sehen Sie zu.</translation>
    </message>
</context>
<context>
    <name>seedbed::ui::ImportanceTable</name>
    <message>
        <source>Importance of the settings</source>
        <translation>Wichtigkeit der Einstellungen</translation>
    </message>
    <message>
        <source>Setting</source>
        <translation>Einstellung</translation>
    </message>
    <message>
        <source>Explains</source>
        <translation>Erklärt</translation>
    </message>
    <message>
        <source>Result</source>
        <translation>Ergebnis</translation>
    </message>
    <message>
        <source>Share of the variance of the score between the values of the setting, corrected for chance. The mark is the share that one of these settings reaches by chance in 5 % of sweeps.</source>
        <translation>Anteil der Varianz der Punktzahl zwischen den Werten der Einstellung, um den Zufall bereinigt. Die Marke ist der Anteil, den eine dieser Einstellungen in 5 % der Reihen zufällig erreicht.</translation>
    </message>
    <message>
        <source>%1 %</source>
        <translation>%1 %</translation>
    </message>
    <message>
        <source>p = %1</source>
        <translation>p = %1</translation>
    </message>
    <message>
        <source>not beyond chance</source>
        <translation>nicht über Zufall</translation>
    </message>
    <message>
        <source>too few runs for its values</source>
        <translation>zu wenige Läufe für ihre Werte</translation>
    </message>
    <message numerus="yes">
        <source>%n run(s)</source>
        <translation>
            <numerusform>%n Lauf</numerusform>
            <numerusform>%n Läufe</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n value(s) or range(s)</source>
        <translation>
            <numerusform>%n Wert oder Bereich</numerusform>
            <numerusform>%n Werte oder Bereiche</numerusform>
        </translation>
    </message>
    <message>
        <source>%1 by chance, at most; p = %2</source>
        <translation>höchstens %1 durch Zufall; p = %2</translation>
    </message>
    <message>
        <source>not distinguishable from chance</source>
        <translation>nicht von Zufall zu unterscheiden</translation>
    </message>
    <message>
        <source>These settings always changed together.</source>
        <translation>Diese Einstellungen haben sich immer zusammen verändert.</translation>
    </message>
    <message numerus="yes">
        <source>Each setting is measured alone, over %n run(s). The effects of settings that were varied together cannot be separated.</source>
        <translation>
            <numerusform>Jede Einstellung ist für sich gemessen, über %n Lauf. Die Wirkungen von Einstellungen, die zusammen verändert wurden, lassen sich nicht trennen.</numerusform>
            <numerusform>Jede Einstellung ist für sich gemessen, über %n Läufe. Die Wirkungen von Einstellungen, die zusammen verändert wurden, lassen sich nicht trennen.</numerusform>
        </translation>
    </message>
    <message>
        <source>Importance needs at least %1 runs with a score; these are %2.</source>
        <translation>Für die Wichtigkeit sind mindestens %1 Läufe mit Punktzahl nötig; dies sind %2.</translation>
    </message>
    <message>
        <source>The runs are of different tasks, so their scores cannot be compared.</source>
        <translation>Die Läufe haben verschiedene Aufgaben; ihre Punktzahlen sind nicht vergleichbar.</translation>
    </message>
    <message>
        <source>No setting differs between the runs, except the seed.</source>
        <translation>Die Läufe unterscheiden sich in keiner Einstellung außer dem Seed.</translation>
    </message>
</context>
<context>
    <name>seedbed::ui::InspectorModel</name>
    <message>
        <source>Agent %1</source>
        <translation>Agent %1</translation>
    </message>
    <message>
        <source>Value</source>
        <translation>Wert</translation>
    </message>
    <message>
        <source>Entropy</source>
        <translation>Entropie</translation>
    </message>
    <message>
        <source>Return</source>
        <translation>Ertrag</translation>
    </message>
    <message>
        <source>Q %1</source>
        <translation>Q %1</translation>
    </message>
    <message>
        <source>not allowed</source>
        <translation>nicht erlaubt</translation>
    </message>
    <message>
        <source>%1 numbers from %2 to %3</source>
        <translation>%1 Zahlen von %2 bis %3</translation>
    </message>
    <message>
        <source>%1 (saliency %2)</source>
        <translation>%1 (Einfluss %2)</translation>
    </message>
    <message>
        <source>%1 (chosen)</source>
        <translation>%1 (gewählt)</translation>
    </message>
    <message>
        <source>Memory %1</source>
        <translation>Gedächtnis %1</translation>
    </message>
    <message>
        <source>Quantity</source>
        <translation>Größe</translation>
    </message>
    <message>
        <source>Now</source>
        <translation>Jetzt</translation>
    </message>
    <message>
        <source> · seat %1</source>
        <translation> · Platz %1</translation>
    </message>
    <message>
        <source>Game over: return %1</source>
        <translation>Spiel zu Ende: Return %1</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%1 von %2</translation>
    </message>
</context>
<context>
    <name>seedbed::ui::InspectorPanel</name>
    <message>
        <source>Would do</source>
        <translation>Würde tun</translation>
    </message>
    <message>
        <source>Remembers (%1)</source>
        <translation>Merkt sich (%1)</translation>
    </message>
    <message>
        <source>Sees</source>
        <translation>Sieht</translation>
    </message>
    <message>
        <source>Sees (brighter: matters more)</source>
        <translation>Sieht (heller: wichtiger)</translation>
    </message>
    <message>
        <source>The next game begins with:</source>
        <translation>Das nächste Spiel beginnt mit:</translation>
    </message>
    <message>
        <source>+%1 more</source>
        <translation>+%1 weitere</translation>
    </message>
</context>
<context>
    <name>seedbed::ui::LadderView</name>
    <message>
        <source>Ladder</source>
        <translation>Rangliste</translation>
    </message>
    <message>
        <source>Place</source>
        <translation>Platz</translation>
    </message>
    <message>
        <source>Member</source>
        <translation>Mitglied</translation>
    </message>
    <message>
        <source>Rating</source>
        <translation>Wertung</translation>
    </message>
    <message>
        <source>95 % interval</source>
        <translation>95-%-Intervall</translation>
    </message>
    <message>
        <source>Games</source>
        <translation>Spiele</translation>
    </message>
    <message>
        <source>Wins / draws / losses</source>
        <translation>Siege / Unentschieden / Niederlagen</translation>
    </message>
    <message>
        <source>%1 (policy removed)</source>
        <translation>%1 (Policy entfernt)</translation>
    </message>
    <message>
        <source>%1 (no longer plays)</source>
        <translation>%1 (spielt nicht mehr)</translation>
    </message>
    <message>
        <source>Added as %1</source>
        <translation>Hinzugefügt als %1</translation>
    </message>
    <message>
        <source>%1 of %2 games are distinct. Repeated games (the same actions of both players) do not narrow the interval.</source>
        <translation>%1 von %2 Spielen sind verschieden. Wiederholte Spiele (dieselben Aktionen beider Spieler) verengen das Intervall nicht.</translation>
    </message>
</context>
<context>
    <name>seedbed::ui::Launcher</name>
    <message>
        <source>%1 exited unexpectedly. Nothing was changed; try again.</source>
        <translation>%1 ist unerwartet zu Ende gegangen. Es wurde nichts geändert; versuche es noch einmal.</translation>
    </message>
    <message>
        <source>%1 exited with code %2</source>
        <translation>%1 endete mit Code %2</translation>
    </message>
    <message>
        <source>%1 could not be started: %2. Is Seedbed installed completely?</source>
        <translation>%1 konnte nicht gestartet werden: %2. Ist Seedbed vollständig installiert?</translation>
    </message>
    <message>
        <source>The runs were queued, but the queue could not be started: %1</source>
        <translation>Die Läufe stehen in der Warteschlange, aber sie konnte nicht gestartet werden: %1</translation>
    </message>
</context>
<context>
    <name>seedbed::ui::LeagueList</name>
    <message>
        <source>League “%1” was created. Add at least two members.</source>
        <translation>Liga „%1“ wurde angelegt. Füge mindestens zwei Mitglieder hinzu.</translation>
    </message>
    <message numerus="yes">
        <source>%n member(s) added.</source>
        <translation>
            <numerusform>Ein Mitglied hinzugefügt.</numerusform>
            <numerusform>%n Mitglieder hinzugefügt.</numerusform>
        </translation>
    </message>
    <message>
        <source>“%1” plays no further matches. Its games still count.</source>
        <translation>„%1“ spielt keine weiteren Partien. Seine Spiele zählen weiter.</translation>
    </message>
    <message>
        <source>“%1” plays again.</source>
        <translation>„%1“ spielt wieder.</translation>
    </message>
    <message>
        <source>Matches played: %1.</source>
        <translation>Gespielte Partien: %1.</translation>
    </message>
    <message>
        <source>Stopped. The match in progress does not count; finished matches are stored.</source>
        <translation>Angehalten. Die laufende Partie zählt nicht; beendete Partien sind gespeichert.</translation>
    </message>
    <message>
        <source>All of these agents have joined before; more generations train further ones.</source>
        <translation>Alle diese Agenten sind schon beigetreten; mit mehr Generationen werden weitere trainiert.</translation>
    </message>
    <message numerus="yes">
        <source>%n trained agent(s) joined.</source>
        <translation>
            <numerusform>%n trainierter Agent ist beigetreten.</numerusform>
            <numerusform>%n trainierte Agenten sind beigetreten.</numerusform>
        </translation>
    </message>
    <message>
        <source>Stopped. The same training continues where it stopped.</source>
        <translation>Angehalten. Dasselbe Training macht dort weiter, wo es aufgehört hat.</translation>
    </message>
    <message>
        <source>Stopping and saving the run in progress…</source>
        <translation>Wird angehalten, der Lauf wird gespeichert…</translation>
    </message>
    <message numerus="yes">
        <source>%1 has ended. %n version(s) of it joined.</source>
        <translation>
            <numerusform>%1 ist beendet. Eine Version kam hinzu.</numerusform>
            <numerusform>%1 ist beendet. %n Versionen kamen hinzu.</numerusform>
        </translation>
    </message>
    <message>
        <source>No further versions of %1 join. Finished matches are stored.</source>
        <translation>Keine weiteren Versionen von %1 kommen hinzu. Beendete Partien sind gespeichert.</translation>
    </message>
</context>
<context>
    <name>seedbed::ui::LeaguePage</name>
    <message>
        <source>New league…</source>
        <translation>Neue Liga…</translation>
    </message>
    <message>
        <source>Add members…</source>
        <translation>Mitglieder hinzufügen…</translation>
    </message>
    <message>
        <source>Exclude the member</source>
        <translation>Mitglied ausschließen</translation>
    </message>
    <message>
        <source>Play matches</source>
        <translation>Partien spielen</translation>
    </message>
    <message>
        <source>Stop the matches</source>
        <translation>Partien anhalten</translation>
    </message>
    <message>
        <source>Reload the leagues</source>
        <translation>Ligen neu laden</translation>
    </message>
    <message>
        <source>Leagues</source>
        <translation>Ligen</translation>
    </message>
    <message>
        <source>League</source>
        <translation>Liga</translation>
    </message>
    <message>
        <source>Score of the member in the row against that in the column: wins and half of the draws. Blue is above 50 %, orange below.</source>
        <translation>Ergebnis des Mitglieds in der Zeile gegen das in der Spalte: Siege und die Hälfte der Unentschieden. Blau ist über 50 %, Orange darunter.</translation>
    </message>
    <message>
        <source>Rounds</source>
        <translation>Runden</translation>
    </message>
    <message>
        <source>In a round, every member plays every other one.</source>
        <translation>In einer Runde spielt jedes Mitglied gegen jedes andere.</translation>
    </message>
    <message>
        <source>rounds: </source>
        <translation>Runden: </translation>
    </message>
    <message>
        <source>Games per match</source>
        <translation>Spiele je Partie</translation>
    </message>
    <message>
        <source>The players swap seats after every game.</source>
        <translation>Die Spieler tauschen nach jedem Spiel die Plätze.</translation>
    </message>
    <message>
        <source>games per match: </source>
        <translation>Spiele je Partie: </translation>
    </message>
    <message>
        <source>Progress of the matches</source>
        <translation>Fortschritt der Partien</translation>
    </message>
    <message>
        <source>No leagues yet. A league finds out which of your agents and scripted players is the strongest in a game for two: they play matches, and the ladder shows how certain each rating is.</source>
        <translation>Noch keine Ligen. Eine Liga findet heraus, welcher deiner Agenten und Skriptspieler in einem Spiel für zwei der stärkste ist: Sie spielen Partien, und die Rangliste zeigt, wie sicher jede Wertung ist.</translation>
    </message>
    <message numerus="yes">
        <source>%n member(s)</source>
        <translation>
            <numerusform>ein Mitglied</numerusform>
            <numerusform>%n Mitglieder</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>games begin with %n random decision(s)</source>
        <translation>
            <numerusform>Spiele beginnen mit einer zufälligen Entscheidung</numerusform>
            <numerusform>Spiele beginnen mit %n zufälligen Entscheidungen</numerusform>
        </translation>
    </message>
    <message>
        <source>policies sample their actions</source>
        <translation>Policies ziehen ihre Aktionen zufällig</translation>
    </message>
    <message>
        <source>A match needs two members that can play: add members.</source>
        <translation>Eine Partie braucht zwei Mitglieder, die spielen können: Füge Mitglieder hinzu.</translation>
    </message>
    <message>
        <source>“%1” cannot play because its policy was removed; its games still count.</source>
        <translation>„%1“ kann nicht spielen, weil seine Policy entfernt wurde; seine Spiele zählen weiter.</translation>
    </message>
    <message>
        <source>Include the member again</source>
        <translation>Mitglied wieder aufnehmen</translation>
    </message>
    <message>
        <source>%1 of %2 games</source>
        <translation>%1 von %2 Spielen</translation>
    </message>
    <message>
        <source>“%1” was not added from a run that exists.</source>
        <translation>„%1“ stammt nicht von einem Lauf, den es gibt.</translation>
    </message>
    <message>
        <source>Follow a run…</source>
        <translation>Einem Lauf folgen…</translation>
    </message>
    <message>
        <source>Versions of a run join while it trains</source>
        <translation>Versionen eines Laufs kommen während des Trainings hinzu</translation>
    </message>
    <message>
        <source>Play against it</source>
        <translation>Dagegen spielen</translation>
    </message>
    <message>
        <source>A game between you and the member that is selected in the ladder</source>
        <translation>Ein Spiel zwischen dir und dem in der Rangliste gewählten Mitglied</translation>
    </message>
    <message>
        <source>Watch this match</source>
        <translation>Diese Partie ansehen</translation>
    </message>
    <message>
        <source>%1 of %2 games are distinct; repeated ones do not narrow the intervals.</source>
        <translation>%1 von %2 Spielen sind verschieden; wiederholte verengen die Intervalle nicht.</translation>
    </message>
    <message>
        <source>Stop following the run</source>
        <translation>Dem Lauf nicht mehr folgen</translation>
    </message>
    <message>
        <source>Select two members as a cell of the scores.</source>
        <translation>Wähle zwei Mitglieder als Zelle der Ergebnisse.</translation>
    </message>
    <message>
        <source>%1 against %2</source>
        <translation>%1 gegen %2</translation>
    </message>
    <message>
        <source>Scores</source>
        <translation>Ergebnisse</translation>
    </message>
    <message>
        <source>Ratings over steps</source>
        <translation>Wertungen über Schritte</translation>
    </message>
    <message>
        <source>Results</source>
        <translation>Ergebnisse</translation>
    </message>
    <message>
        <source>Train agents…</source>
        <translation>Agenten trainieren…</translation>
    </message>
    <message>
        <source>Agents are being trained for this league; their runs are on the page Runs.</source>
        <translation>Für diese Liga werden Agenten trainiert; ihre Läufe sind auf der Seite Läufe.</translation>
    </message>
    <message>
        <source>Stop the training</source>
        <translation>Training anhalten</translation>
    </message>
    <message>
        <source>Another process trains this league; stop its run on the page Run</source>
        <translation>Ein anderer Prozess trainiert diese Liga; halte seinen Lauf auf der Seite Lauf an</translation>
    </message>
    <message>
        <source>Main agents and exploiters are trained and join the league</source>
        <translation>Hauptagenten und Ausnutzer werden trainiert und treten der Liga bei</translation>
    </message>
    <message>
        <source>run %1</source>
        <translation>Lauf %1</translation>
    </message>
    <message>
        <source>Versions of %1 join while it trains.</source>
        <translation>Versionen von %1 kommen während des Trainings hinzu.</translation>
    </message>
</context>
<context>
    <name>seedbed::ui::LibraryPage</name>
    <message>
        <source>Library</source>
        <translation>Bibliothek</translation>
    </message>
    <message>
        <source>Views of the library</source>
        <translation>Ansichten der Bibliothek</translation>
    </message>
    <message>
        <source>&amp;Policies</source>
        <translation>&amp;Policies</translation>
    </message>
    <message>
        <source>&amp;Devices</source>
        <translation>&amp;Geräte</translation>
    </message>
    <message>
        <source>Watch</source>
        <translation>Zusehen</translation>
    </message>
    <message>
        <source>Duel…</source>
        <translation>Duell…</translation>
    </message>
    <message>
        <source>Export…</source>
        <translation>Exportieren…</translation>
    </message>
    <message>
        <source>Train from this…</source>
        <translation>Damit weitertrainieren…</translation>
    </message>
    <message>
        <source>Copy command</source>
        <translation>Befehl kopieren</translation>
    </message>
    <message>
        <source>Remove…</source>
        <translation>Entfernen…</translation>
    </message>
    <message>
        <source>Import a file with weights…</source>
        <translation>Datei mit Gewichten importieren…</translation>
    </message>
    <message>
        <source>Import a folder…</source>
        <translation>Ordner importieren…</translation>
    </message>
    <message>
        <source>Train an agent</source>
        <translation>Agenten trainieren</translation>
    </message>
    <message>
        <source>Reload the library</source>
        <translation>Bibliothek neu laden</translation>
    </message>
    <message>
        <source>Show the devices of this computer</source>
        <translation>Geräte dieses Computers zeigen</translation>
    </message>
    <message>
        <source>Rename…</source>
        <translation>Umbenennen…</translation>
    </message>
</context>
<context>
    <name>seedbed::ui::LineageView</name>
    <message>
        <source>Lineage</source>
        <translation>Abstammung</translation>
    </message>
    <message>
        <source>Learner</source>
        <translation>Lerner</translation>
    </message>
    <message>
        <source>Rounds</source>
        <translation>Runden</translation>
    </message>
    <message>
        <source>Score</source>
        <translation>Punktzahl</translation>
    </message>
    <message>
        <source>Member %1 (best)</source>
        <translation>Mitglied %1 (bestes)</translation>
    </message>
    <message>
        <source>Member %1</source>
        <translation>Mitglied %1</translation>
    </message>
    <message>
        <source>Steps %1 to %2</source>
        <translation>Schritte %1 bis %2</translation>
    </message>
    <message>
        <source>Failed: %1</source>
        <translation>Gescheitert: %1</translation>
    </message>
</context>
<context>
    <name>seedbed::ui::MachinesCard</name>
    <message>
        <source>Machines</source>
        <translation>Rechner</translation>
    </message>
    <message>
        <source>State of the actors</source>
        <translation>Zustand der Akteure</translation>
    </message>
    <message>
        <source>Mach&amp;ines</source>
        <translation>Rechner ze&amp;igen</translation>
    </message>
    <message>
        <source>Show the machines</source>
        <translation>Die Rechner zeigen</translation>
    </message>
    <message numerus="yes">
        <source>%n waiting</source>
        <comment>groups without an actor</comment>
        <translation>
            <numerusform>%n wartet</numerusform>
            <numerusform>%n warten</numerusform>
        </translation>
    </message>
    <message>
        <source>all connected</source>
        <translation>alle verbunden</translation>
    </message>
</context>
<context>
    <name>seedbed::ui::MachinesPanel</name>
    <message>
        <source>Copy command</source>
        <translation>Befehl kopieren</translation>
    </message>
    <message>
        <source>Copy the command that starts actors</source>
        <translation>Den Befehl kopieren, der Akteure startet</translation>
    </message>
    <message>
        <source>Copied: %1</source>
        <translation>Kopiert: %1</translation>
    </message>
    <message>
        <source>Group</source>
        <translation>Gruppe</translation>
    </message>
    <message>
        <source>Machine</source>
        <translation>Rechner</translation>
    </message>
    <message>
        <source>Environments</source>
        <translation>Umgebungen</translation>
    </message>
    <message>
        <source>Steps per second</source>
        <translation>Schritte pro Sekunde</translation>
    </message>
    <message>
        <source>Last answer</source>
        <translation>Letzte Antwort</translation>
    </message>
    <message>
        <source>State</source>
        <translation>Zustand</translation>
    </message>
    <message>
        <source>Actors</source>
        <translation>Akteure</translation>
    </message>
    <message>
        <source>Jobs</source>
        <translation>Aufträge</translation>
    </message>
    <message>
        <source>State of the jobs</source>
        <translation>Zustand der Aufträge</translation>
    </message>
    <message>
        <source>The run is not training. Its actors are shown while it trains.</source>
        <translation>Der Lauf trainiert nicht. Seine Akteure werden gezeigt, während er trainiert.</translation>
    </message>
    <message>
        <source>Asking for the actors…</source>
        <translation>Die Akteure werden abgefragt …</translation>
    </message>
    <message>
        <source>%1 ago</source>
        <translation>vor %1</translation>
    </message>
    <message>
        <source>Actions by</source>
        <translation>Aktionen von</translation>
    </message>
    <message>
        <source>Lag</source>
        <translation>Rückstand</translation>
    </message>
    <message>
        <source>The learner chooses the actions in a round trip per step, or the actor with a copy of the parameters (actor.fleet_form).</source>
        <translation>Der Lerner wählt die Aktionen mit einer Nachricht hin und zurück je Schritt, oder der Akteur mit einer Kopie der Parameter (actor.fleet_form).</translation>
    </message>
    <message>
        <source>Age of the actor's parameters in updates. Steps whose parameters are older than learner.max_policy_lag when they are used for learning are left out.</source>
        <translation>Alter der Parameter des Akteurs in Lernschritten. Schritte, deren Parameter beim Lernen älter als learner.max_policy_lag sind, werden ausgelassen.</translation>
    </message>
</context>
<context>
    <name>seedbed::ui::MainWindow</name>
    <message>
        <source>&amp;Window</source>
        <translation>&amp;Fenster</translation>
    </message>
    <message>
        <source>&amp;Close window (runs continue)</source>
        <translation>Fenster s&amp;chließen (Läufe gehen weiter)</translation>
    </message>
    <message>
        <source>&amp;Edit</source>
        <translation>&amp;Bearbeiten</translation>
    </message>
    <message>
        <source>&amp;Undo</source>
        <translation>&amp;Rückgängig</translation>
    </message>
    <message>
        <source>&amp;Redo</source>
        <translation>&amp;Wiederholen</translation>
    </message>
    <message>
        <source>&amp;View</source>
        <translation>&amp;Ansicht</translation>
    </message>
    <message>
        <source>&amp;System theme</source>
        <translation>Farben des &amp;Systems</translation>
    </message>
    <message>
        <source>&amp;Light theme</source>
        <translation>&amp;Helle Farben</translation>
    </message>
    <message>
        <source>&amp;Dark theme</source>
        <translation>&amp;Dunkle Farben</translation>
    </message>
    <message>
        <source>System langua&amp;ge</source>
        <translation>S&amp;prache des Systems</translation>
    </message>
    <message>
        <source>&amp;Help</source>
        <translation>&amp;Hilfe</translation>
    </message>
    <message>
        <source>&amp;Command palette…</source>
        <translation>&amp;Befehle …</translation>
    </message>
    <message>
        <source>&amp;Keyboard shortcuts</source>
        <translation>&amp;Tastenkürzel</translation>
    </message>
    <message>
        <source>&amp;About Seedbed</source>
        <translation>Ü&amp;ber Seedbed</translation>
    </message>
    <message>
        <source>Run</source>
        <translation>Lauf</translation>
    </message>
    <message>
        <source>Setting</source>
        <translation>Einstellung</translation>
    </message>
    <message>
        <source>&amp;User guide</source>
        <translation>&amp;Benutzerhandbuch</translation>
    </message>
    <message>
        <source>&amp;High contrast</source>
        <translation>&amp;Hoher Kontrast</translation>
    </message>
    <message>
        <source>run %1</source>
        <translation>Lauf %1</translation>
    </message>
</context>
<context>
    <name>seedbed::ui::MessageBar</name>
    <message>
        <source>Problem</source>
        <translation>Problem</translation>
    </message>
    <message>
        <source>Message</source>
        <translation>Meldung</translation>
    </message>
    <message>
        <source>Close this message</source>
        <translation>Diese Meldung schließen</translation>
    </message>
</context>
<context>
    <name>seedbed::ui::MovingPicture</name>
    <message>
        <source>Drawing the picture…</source>
        <translation>Bild wird gezeichnet…</translation>
    </message>
    <message>
        <source>The picture cannot be drawn.</source>
        <translation>Das Bild kann nicht gezeichnet werden.</translation>
    </message>
    <message>
        <source>Move the pointer here to see a picture.</source>
        <translation>Den Mauszeiger hierher bewegen, um ein Bild zu sehen.</translation>
    </message>
    <message>
        <source>Random actions</source>
        <translation>Zufällige Aktionen</translation>
    </message>
</context>
<context>
    <name>seedbed::ui::NeighbourBar</name>
    <message>
        <source>Train &amp;anyway</source>
        <translation>Trot&amp;zdem trainieren</translation>
    </message>
    <message>
        <source>Train anyway</source>
        <translation>Trotzdem trainieren</translation>
    </message>
    <message>
        <source>Trains until the reason ends; a later one pauses again</source>
        <translation>Trainiert, bis der Grund endet; ein späterer pausiert wieder</translation>
    </message>
    <message>
        <source>%1 is paused: %2. Training continues when that ends.</source>
        <translation>%1 ist pausiert: %2. Das Training läuft weiter, sobald das endet.</translation>
    </message>
    <message numerus="yes">
        <source>%n run(s) are paused: %1. Training continues when that ends.</source>
        <translation>
            <numerusform>%n Lauf ist pausiert: %1. Das Training läuft weiter, sobald das endet.</numerusform>
            <numerusform>%n Läufe sind pausiert: %1. Das Training läuft weiter, sobald das endet.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>seedbed::ui::NeighbourRow</name>
    <message>
        <source>On battery</source>
        <translation>Im Akkubetrieb</translation>
    </message>
    <message>
        <source>While a game runs</source>
        <translation>Während ein Spiel läuft</translation>
    </message>
    <message>
        <source>Programs that count as games</source>
        <translation>Programme, die als Spiele zählen</translation>
    </message>
    <message>
        <source>for example %1</source>
        <translation>zum Beispiel %1</translation>
    </message>
    <message>
        <source>Names of programs that count as games, separated by commas. The command “seedbed rules” also has limits for free memory and disk space.</source>
        <translation>Namen von Programmen, die als Spiele zählen, durch Kommas getrennt. Der Befehl „seedbed rules“ hat auch Grenzen für freien Arbeitsspeicher und Speicherplatz.</translation>
    </message>
    <message>
        <source>On &amp;battery</source>
        <translation>Im A&amp;kkubetrieb</translation>
    </message>
    <message>
        <source>While a &amp;game runs</source>
        <translation>Während ein &amp;Spiel läuft</translation>
    </message>
    <message>
        <source>Progra&amp;ms that count as games</source>
        <translation>Pro&amp;gramme, die als Spiele zählen</translation>
    </message>
    <message>
        <source>low priority</source>
        <translation>niedrige Priorität</translation>
    </message>
    <message>
        <source>pause</source>
        <translation>pausieren</translation>
    </message>
    <message>
        <source>keep training</source>
        <translation>weiter trainieren</translation>
    </message>
    <message>
        <source>Not running and not in PATH, so check the spelling: %1</source>
        <translation>Läuft nicht und ist nicht im PATH, prüfe also die Schreibweise: %1</translation>
    </message>
</context>
<context>
    <name>seedbed::ui::NewLeagueDialog</name>
    <message>
        <source>Cancel</source>
        <translation>Abbrechen</translation>
    </message>
    <message>
        <source>Policies &amp;sample their actions</source>
        <translation>&amp;Policies ziehen ihre Aktionen zufällig</translation>
    </message>
    <message>
        <source>New league</source>
        <translation>Neue Liga</translation>
    </message>
    <message>
        <source>A league rates players of one game for two from matches against each other.</source>
        <translation>Eine Liga bewertet Spieler eines Spiels für zwei anhand von Partien gegeneinander.</translation>
    </message>
    <message>
        <source>Name</source>
        <translation>Name</translation>
    </message>
    <message>
        <source>&amp;Name</source>
        <translation>&amp;Name</translation>
    </message>
    <message>
        <source>Game</source>
        <translation>Spiel</translation>
    </message>
    <message>
        <source>&amp;Game</source>
        <translation>S&amp;piel</translation>
    </message>
    <message>
        <source>Random decisions at the beginning</source>
        <translation>Zufällige Entscheidungen am Anfang</translation>
    </message>
    <message>
        <source>Random decisions at the beginning of a game make games of the same two players differ.</source>
        <translation>Zufällige Entscheidungen am Anfang eines Spiels machen Spiele derselben zwei Spieler verschieden.</translation>
    </message>
    <message>
        <source>&amp;Random decisions at the beginning</source>
        <translation>&amp;Zufällige Entscheidungen am Anfang</translation>
    </message>
    <message>
        <source>Otherwise they choose the most probable action.</source>
        <translation>Sonst wählen sie die wahrscheinlichste Aktion.</translation>
    </message>
    <message>
        <source>Create the league</source>
        <translation>Liga anlegen</translation>
    </message>
    <message>
        <source>There is a league with this name.</source>
        <translation>Es gibt eine Liga mit diesem Namen.</translation>
    </message>
</context>
<context>
    <name>seedbed::ui::NewPopulationDialog</name>
    <message>
        <source>Lowest value</source>
        <translation>Kleinster Wert</translation>
    </message>
    <message>
        <source>Highest value</source>
        <translation>Größter Wert</translation>
    </message>
    <message>
        <source>Steps of each member</source>
        <translation>Schritte je Mitglied</translation>
    </message>
    <message>
        <source>Name</source>
        <translation>Name</translation>
    </message>
    <message>
        <source>&amp;Logarithmic</source>
        <translation>&amp;Logarithmisch</translation>
    </message>
    <message>
        <source>Members</source>
        <translation>Mitglieder</translation>
    </message>
    <message>
        <source>Members that train at the same time</source>
        <translation>Mitglieder, die gleichzeitig trainieren</translation>
    </message>
    <message>
        <source>New population</source>
        <translation>Neue Population</translation>
    </message>
    <message>
        <source>A population looks for a good value of a setting while it trains: after every round, the worst members become copies of the best ones with changed values. It continues when the window is closed.</source>
        <translation>Eine Population sucht beim Training einen guten Wert einer Einstellung: Nach jeder Runde werden die schlechtesten Mitglieder durch Kopien der besten mit geänderten Werten ersetzt. Das Training geht weiter, wenn das Fenster geschlossen wird.</translation>
    </message>
    <message>
        <source>Start the population</source>
        <translation>Population starten</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Abbrechen</translation>
    </message>
    <message>
        <source>Preset</source>
        <translation>Voreinstellung</translation>
    </message>
    <message>
        <source>&amp;Preset</source>
        <translation>&amp;Voreinstellung</translation>
    </message>
    <message>
        <source>Setting that differs between members</source>
        <translation>Einstellung, in der sich die Mitglieder unterscheiden</translation>
    </message>
    <message>
        <source>&amp;Setting</source>
        <translation>&amp;Einstellung</translation>
    </message>
    <message>
        <source>to</source>
        <comment>a range of values</comment>
        <translation>bis</translation>
    </message>
    <message>
        <source>&amp;Range</source>
        <translation>&amp;Bereich</translation>
    </message>
    <message>
        <source>&amp;Members</source>
        <translation>&amp;Mitglieder</translation>
    </message>
    <message>
        <source>At the same &amp;time</source>
        <translation>Gleich&amp;zeitig</translation>
    </message>
    <message>
        <source>those of the preset</source>
        <translation>die der Voreinstellung</translation>
    </message>
    <message>
        <source>S&amp;teps of each member</source>
        <translation>Schri&amp;tte je Mitglied</translation>
    </message>
    <message>
        <source>optional</source>
        <translation>freiwillig</translation>
    </message>
    <message>
        <source>&amp;Name</source>
        <translation>&amp;Name</translation>
    </message>
</context>
<context>
    <name>seedbed::ui::NextCard</name>
    <message>
        <source>Next</source>
        <translation>Weiter</translation>
    </message>
    <message numerus="yes">
        <source>%n more seed(s) would tell whether this was luck.</source>
        <translation>
            <numerusform>%n weiterer Seed würde zeigen, ob das Glück war.</numerusform>
            <numerusform>%n weitere Seeds würden zeigen, ob das Glück war.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n more seed(s) are on their way.</source>
        <translation>
            <numerusform>%n weiterer Seed ist unterwegs.</numerusform>
            <numerusform>%n weitere Seeds sind unterwegs.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n seeds with these settings have finished.</source>
        <translation>
            <numerusform>%n Seed mit diesen Einstellungen ist fertig.</numerusform>
            <numerusform>%n Seeds mit diesen Einstellungen sind fertig.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>&amp;Queue %n seed(s)</source>
        <translation>
            <numerusform>%n Seed &amp;einreihen</numerusform>
            <numerusform>%n Seeds &amp;einreihen</numerusform>
        </translation>
    </message>
    <message>
        <source>Compare the &amp;seeds</source>
        <translation>&amp;Seeds vergleichen</translation>
    </message>
    <message numerus="yes">
        <source>%n run(s) were queued.</source>
        <translation>
            <numerusform>%n Lauf wurde eingereiht.</numerusform>
            <numerusform>%n Läufe wurden eingereiht.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>seedbed::ui::OverTasksText</name>
    <message>
        <source>greedy</source>
        <translation>Greedy-Aktionen</translation>
    </message>
    <message>
        <source>sampled</source>
        <translation>gezogene Aktionen</translation>
    </message>
    <message>
        <source>training</source>
        <translation>Training</translation>
    </message>
    <message>
        <source>%1 %2 to %3</source>
        <translation>%1 %2 bis %3</translation>
    </message>
    <message>
        <source>baseline</source>
        <translation>Maßstab</translation>
    </message>
    <message>
        <source>a run of it is better with probability %1 %2</source>
        <translation>ein Lauf davon ist mit Wahrscheinlichkeit %1 %2 besser</translation>
    </message>
    <message>
        <source>%1 is better than %2 over these tasks: %3.</source>
        <translation>%1 ist über diese Aufgaben besser als %2: %3.</translation>
    </message>
    <message>
        <source>%1 is worse than %2 over these tasks: %3.</source>
        <translation>%1 ist über diese Aufgaben schlechter als %2: %3.</translation>
    </message>
    <message>
        <source>No difference between %1 and %2 is shown over these tasks: %3.</source>
        <translation>Über diese Aufgaben ist kein Unterschied zwischen %1 und %2 belegt: %3.</translation>
    </message>
</context>
<context>
    <name>seedbed::ui::OverTasksView</name>
    <message>
        <source>Performance profiles</source>
        <translation>Leistungsprofile</translation>
    </message>
    <message>
        <source>Share of runs above</source>
        <translation>Anteil der Läufe darüber</translation>
    </message>
    <message>
        <source>Methods differ in</source>
        <translation>Verfahren unterscheiden sich in</translation>
    </message>
    <message>
        <source>The settings that make a method; every method needs runs of every task</source>
        <translation>Die Einstellungen, die ein Verfahren ausmachen; jedes Verfahren braucht Läufe jeder Aufgabe</translation>
    </message>
    <message>
        <source>Met&amp;hods differ in</source>
        <translation>Verfa&amp;hren unterscheiden sich in</translation>
    </message>
    <message>
        <source>&amp;Explain the profiles</source>
        <translation>Profile &amp;erklären</translation>
    </message>
    <message>
        <source>Method</source>
        <translation>Verfahren</translation>
    </message>
    <message>
        <source>Runs</source>
        <translation>Läufe</translation>
    </message>
    <message>
        <source>IQM</source>
        <translation>IQM</translation>
    </message>
    <message>
        <source>Median</source>
        <translation>Median</translation>
    </message>
    <message>
        <source>Mean</source>
        <translation>Mittel</translation>
    </message>
    <message>
        <source>Optimality gap</source>
        <translation>Abstand zum Ziel</translation>
    </message>
    <message>
        <source>P(better)</source>
        <translation>P(besser)</translation>
    </message>
    <message>
        <source>Methods and their normalised scores</source>
        <translation>Verfahren und ihre normierten Punktzahlen</translation>
    </message>
    <message>
        <source>Performance profiles compare methods over several tasks. Compare runs of at least two environments, and of every method in each of them.</source>
        <translation>Leistungsprofile vergleichen Verfahren über mehrere Aufgaben. Vergleiche Läufe von mindestens zwei Umgebungen, und zwar von jedem Verfahren in jeder.</translation>
    </message>
    <message>
        <source>Computing…</source>
        <translation>Wird berechnet …</translation>
    </message>
    <message>
        <source>The program printed no numbers.</source>
        <translation>Das Programm hat keine Zahlen ausgegeben.</translation>
    </message>
    <message>
        <source>Scores are normalised: 0 is random play, 1 the goal: %1. Bands and intervals: 95 % bootstrap over the runs within each task.</source>
        <translation>Punktzahlen sind normiert: 0 ist zufälliges Spiel, 1 das Ziel: %1. Bänder und Intervalle: 95 %, Bootstrap über die Läufe jeder Aufgabe.</translation>
    </message>
    <message>
        <source>A task has fewer than three runs of a method: its intervals are too narrow.</source>
        <translation>Eine Aufgabe hat weniger als drei Läufe eines Verfahrens: Dessen Intervalle sind zu eng.</translation>
    </message>
    <message>
        <source>These runs cannot be compared over tasks: %1</source>
        <translation>Diese Läufe lassen sich nicht über Aufgaben vergleichen: %1</translation>
    </message>
</context>
<context>
    <name>seedbed::ui::OwnEnvPage</name>
    <message>
        <source>ok</source>
        <translation>in Ordnung</translation>
    </message>
    <message>
        <source>note</source>
        <translation>Hinweis</translation>
    </message>
    <message>
        <source>problem</source>
        <translation>Problem</translation>
    </message>
    <message>
        <source>Kind of environment</source>
        <translation>Art der Umgebung</translation>
    </message>
    <message>
        <source>a class in a Python file</source>
        <translation>eine Klasse in einer Python-Datei</translation>
    </message>
    <message>
        <source>an id registered by Gymnasium or a module</source>
        <translation>ein Name, den Gymnasium oder ein Modul registriert</translation>
    </message>
    <message>
        <source>&amp;Kind</source>
        <translation>&amp;Art</translation>
    </message>
    <message>
        <source>Python file</source>
        <translation>Python-Datei</translation>
    </message>
    <message>
        <source>Choose…</source>
        <translation>Wählen…</translation>
    </message>
    <message>
        <source>Choose the Python file</source>
        <translation>Die Python-Datei wählen</translation>
    </message>
    <message>
        <source>&amp;File</source>
        <translation>&amp;Datei</translation>
    </message>
    <message>
        <source>Class</source>
        <translation>Klasse</translation>
    </message>
    <message>
        <source>C&amp;lass</source>
        <translation>K&amp;lasse</translation>
    </message>
    <message>
        <source>Id of the environment</source>
        <translation>Name der Umgebung</translation>
    </message>
    <message>
        <source>&amp;Id</source>
        <translation>&amp;Registrierter Name</translation>
    </message>
    <message>
        <source>Name in the gallery</source>
        <translation>Name in der Galerie</translation>
    </message>
    <message>
        <source>&amp;Name</source>
        <translation>&amp;Name</translation>
    </message>
    <message>
        <source>&amp;Arguments of the constructor; leave a value empty for the default</source>
        <translation>Ar&amp;gumente des Konstruktors; ein leerer Wert ist der Standardwert</translation>
    </message>
    <message>
        <source>Argument</source>
        <translation>Argument</translation>
    </message>
    <message>
        <source>Value</source>
        <translation>Wert</translation>
    </message>
    <message>
        <source>Default</source>
        <translation>Standard</translation>
    </message>
    <message>
        <source>Arguments of the constructor</source>
        <translation>Argumente des Konstruktors</translation>
    </message>
    <message>
        <source>Checking the environment</source>
        <translation>Die Umgebung wird geprüft</translation>
    </message>
    <message>
        <source>Result</source>
        <translation>Ergebnis</translation>
    </message>
    <message>
        <source>Check</source>
        <translation>Prüfen</translation>
    </message>
    <message>
        <source>Finding</source>
        <translation>Befund</translation>
    </message>
    <message>
        <source>Findings of the check</source>
        <translation>Befunde der Prüfung</translation>
    </message>
    <message>
        <source>Copy as command</source>
        <translation>Als Befehl kopieren</translation>
    </message>
    <message>
        <source>Remove from the gallery</source>
        <translation>Aus der Galerie entfernen</translation>
    </message>
    <message>
        <source>Watch</source>
        <translation>Zusehen</translation>
    </message>
    <message>
        <source>Show an animation of random actions</source>
        <translation>Ein bewegtes Bild zufälliger Aktionen zeichnen</translation>
    </message>
    <message>
        <source>Train…</source>
        <translation>Trainieren…</translation>
    </message>
    <message>
        <source>Python files (*.py)</source>
        <translation>Python-Dateien (*.py)</translation>
    </message>
    <message>
        <source>All files (*)</source>
        <translation>Alle Dateien (*)</translation>
    </message>
    <message>
        <source>Choose a Python file</source>
        <translation>Eine Python-Datei wählen</translation>
    </message>
    <message>
        <source>required</source>
        <translation>erforderlich</translation>
    </message>
    <message>
        <source>This file does not exist.</source>
        <translation>Diese Datei gibt es nicht.</translation>
    </message>
    <message>
        <source>No class with reset() and step() was found in this file. You can enter a name.</source>
        <translation>In dieser Datei wurde keine Klasse mit reset() und step() gefunden. Du kannst einen Namen eingeben.</translation>
    </message>
    <message>
        <source>Cancel the check</source>
        <translation>Prüfung abbrechen</translation>
    </message>
    <message numerus="yes">
        <source>The check found %n problem(s).</source>
        <translation>
            <numerusform>Die Prüfung fand %n Problem.</numerusform>
            <numerusform>Die Prüfung fand %n Probleme.</numerusform>
        </translation>
    </message>
    <message>
        <source>The environment follows the rules. It runs at %1 decisions per second with random actions.</source>
        <translation>Die Umgebung befolgt die Regeln. Sie schafft %1 Entscheidungen pro Sekunde mit zufälligen Aktionen.</translation>
    </message>
    <message>
        <source>CartPole-v1 or package.module:Id-v0</source>
        <translation>CartPole-v1 oder paket.modul:Name-v0</translation>
    </message>
    <message>
        <source>cannot be set: a setting has the same name</source>
        <translation>nicht einstellbar: Eine Einstellung hat diesen Namen</translation>
    </message>
    <message>
        <source>A Python class with reset() and step() as in Gymnasium. Check tries it in a separate process; nothing is trained before that.</source>
        <translation>Eine Python-Klasse mit reset() und step() wie in Gymnasium. Prüfen probiert sie in einem eigenen Prozess aus; vorher wird nichts trainiert.</translation>
    </message>
    <message>
        <source>Enter an id to check, watch and train the environment.</source>
        <translation>Gib eine ID ein, um die Umgebung zu prüfen, anzusehen und zu trainieren.</translation>
    </message>
    <message>
        <source>Choose a file to check, watch and train its environment.</source>
        <translation>Wähle eine Datei, um ihre Umgebung zu prüfen, anzusehen und zu trainieren.</translation>
    </message>
    <message>
        <source>Choose a class of this file.</source>
        <translation>Wähle eine Klasse dieser Datei.</translation>
    </message>
</context>
<context>
    <name>seedbed::ui::OwnEnvironments</name>
    <message>
        <source>Your environments cannot be read: %1: %2</source>
        <translation>Deine Umgebungen können nicht gelesen werden: %1: %2</translation>
    </message>
    <message>
        <source>Your environments cannot be read: %1: %2. Repair the file, or delete it to start with an empty list.</source>
        <translation>Deine Umgebungen können nicht gelesen werden: %1: %2. Repariere die Datei, oder lösche sie, um mit einer leeren Liste zu beginnen.</translation>
    </message>
    <message>
        <source>Your environments were not stored, because %1 cannot be read. Repair or delete it.</source>
        <translation>Deine Umgebungen wurden nicht gespeichert, weil %1 nicht gelesen werden kann. Repariere oder lösche die Datei.</translation>
    </message>
    <message>
        <source>Your environments could not be stored in %1: %2</source>
        <translation>Deine Umgebungen konnten nicht in %1 gespeichert werden: %2</translation>
    </message>
    <message>
        <source>Your environments cannot be read: %1 is not a regular file.</source>
        <translation>Deine Umgebungen können nicht gelesen werden: %1 ist keine gewöhnliche Datei.</translation>
    </message>
</context>
<context>
    <name>seedbed::ui::PackCard</name>
    <message>
        <source>Licences: %1</source>
        <translation>Lizenzen: %1</translation>
    </message>
    <message>
        <source>Uses %1.</source>
        <translation>Belegt %1.</translation>
    </message>
    <message numerus="yes">
        <source>Downloads %n package(s), %1, from the Python package index; %2 installed.</source>
        <translation>
            <numerusform>Lädt %n Paket, %1, vom Python-Paketindex; installiert %2.</numerusform>
            <numerusform>Lädt %n Pakete, %1, vom Python-Paketindex; installiert %2.</numerusform>
        </translation>
    </message>
    <message>
        <source>Needs Python %1.</source>
        <translation>Braucht Python %1.</translation>
    </message>
    <message>
        <source>Needs these system packages: %1.</source>
        <translation>Benötigt diese Pakete des Systems: %1.</translation>
    </message>
    <message>
        <source>Install</source>
        <translation>Installieren</translation>
    </message>
    <message>
        <source>Check</source>
        <translation>Prüfen</translation>
    </message>
    <message>
        <source>Remove</source>
        <translation>Entfernen</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Abbrechen</translation>
    </message>
    <message>
        <source>Progress: %1</source>
        <translation>Fortschritt: %1</translation>
    </message>
    <message>
        <source>Train and watch:</source>
        <translation>Trainieren und zusehen:</translation>
    </message>
    <message>
        <source>Train and watch %1</source>
        <translation>%1 trainieren und zusehen</translation>
    </message>
    <message>
        <source>%1, %2 of %3</source>
        <comment>a step and its progress in bytes</comment>
        <translation>%1, %2 von %3</translation>
    </message>
    <message>
        <source>not installed</source>
        <translation>nicht installiert</translation>
    </message>
    <message>
        <source>installed</source>
        <translation>installiert</translation>
    </message>
    <message>
        <source>outdated</source>
        <translation>veraltet</translation>
    </message>
    <message>
        <source>damaged</source>
        <translation>beschädigt</translation>
    </message>
    <message>
        <source>Update</source>
        <translation>Aktualisieren</translation>
    </message>
    <message>
        <source>Install again</source>
        <translation>Neu installieren</translation>
    </message>
    <message>
        <source>Install (%1)</source>
        <translation>Installieren (%1)</translation>
    </message>
    <message>
        <source>Choose Python…</source>
        <translation>Python wählen…</translation>
    </message>
    <message>
        <source>Choose the Python installation that has the packages</source>
        <translation>Das Python wählen, das die Pakete enthält</translation>
    </message>
    <message>
        <source>Remove…</source>
        <translation>Entfernen…</translation>
    </message>
    <message>
        <source>Keep</source>
        <translation>Behalten</translation>
    </message>
    <message>
        <source>Reading the runs…</source>
        <translation>Die Läufe werden gelesen…</translation>
    </message>
    <message>
        <source>Remove this pack? Installing it again downloads %1.</source>
        <translation>Dieses Paket entfernen? Eine neue Installation lädt %1 herunter.</translation>
    </message>
    <message>
        <source>Remove this pack? The packages of its Python are kept.</source>
        <translation>Dieses Paket entfernen? Die Pakete seines Python bleiben erhalten.</translation>
    </message>
    <message>
        <source>Runs in progress or queued need it and will fail: %1.</source>
        <translation>Laufende oder wartende Läufe brauchen es und werden fehlschlagen: %1.</translation>
    </message>
    <message>
        <source>Details</source>
        <translation>Details</translation>
    </message>
    <message>
        <source>Licences of the packages</source>
        <translation>Lizenzen der Pakete</translation>
    </message>
</context>
<context>
    <name>seedbed::ui::PackList</name>
    <message>
        <source>Downloading package %1 of %2: %3</source>
        <translation>Paket %1 von %2 wird geladen: %3</translation>
    </message>
    <message>
        <source>Installing</source>
        <translation>Wird installiert</translation>
    </message>
    <message>
        <source>Importing the packages</source>
        <translation>Pakete werden importiert</translation>
    </message>
    <message>
        <source>Preparing</source>
        <translation>Wird vorbereitet</translation>
    </message>
    <message>
        <source>Cancelled. Nothing was installed.</source>
        <translation>Abgebrochen. Nichts wurde installiert.</translation>
    </message>
    <message>
        <source>Comparing files with their hashes, importing packages</source>
        <translation>Dateien werden mit ihren Prüfsummen verglichen, Pakete importiert</translation>
    </message>
    <message>
        <source>Removing</source>
        <translation>Wird entfernt</translation>
    </message>
    <message>
        <source>Removed.</source>
        <translation>Entfernt.</translation>
    </message>
    <message>
        <source>The pack has problems: %1. Install it again to repair it.</source>
        <translation>Das Paket hat Probleme: %1. Installiere es neu, um sie zu beheben.</translation>
    </message>
    <message>
        <source>No problem found. %1 files match their hashes, and all modules can be imported.</source>
        <translation>Kein Problem gefunden. %1 Dateien haben ihre Prüfsummen, und alle Module lassen sich importieren.</translation>
    </message>
    <message>
        <source>Cancelled.</source>
        <translation>Abgebrochen.</translation>
    </message>
    <message>
        <source>Cancelling</source>
        <translation>Wird abgebrochen</translation>
    </message>
</context>
<context>
    <name>seedbed::ui::PacksPage</name>
    <message>
        <source>Reload the packs</source>
        <translation>Pakete neu einlesen</translation>
    </message>
    <message>
        <source>Your own environment…</source>
        <translation>Eigene Umgebung…</translation>
    </message>
    <message>
        <source>Packs</source>
        <translation>Pakete</translation>
    </message>
    <message>
        <source>Third-party environments with their own licences. Installing downloads Python packages with fixed versions and hashes into the data folder and changes nothing else on this computer. Using a pack needs no network.</source>
        <translation>Umgebungen anderer Leute mit eigenen Lizenzen. Beim Installieren werden Python-Pakete mit festen Versionen und Prüfsummen in den Datenordner geladen; sonst wird an diesem Computer nichts geändert. Benutzt werden Pakete ohne Netz.</translation>
    </message>
    <message>
        <source>The restrictions of environments are unknown: %1</source>
        <translation>Die Beschränkungen der Umgebungen sind unbekannt: %1</translation>
    </message>
    <message>
        <source>Environments run in separate processes. Their restrictions on this computer:</source>
        <translation>Umgebungen laufen in eigenen Prozessen. Deren Beschränkungen auf diesem Computer:</translation>
    </message>
    <message>
        <source>✗  Not active: %1 (%2)</source>
        <translation>✗  Nicht aktiv: %1 (%2)</translation>
    </message>
</context>
<context>
    <name>seedbed::ui::ParallelPlot</name>
    <message>
        <source>Parallel coordinates</source>
        <translation>Parallele Koordinaten</translation>
    </message>
    <message numerus="yes">
        <source>%n run(s) inside the ranges.</source>
        <translation>
            <numerusform>%n Lauf innerhalb der Bereiche.</numerusform>
            <numerusform>%n Läufe innerhalb der Bereiche.</numerusform>
        </translation>
    </message>
    <message>
        <source>Axis: %1.</source>
        <translation>Achse: %1.</translation>
    </message>
    <message>
        <source>log</source>
        <translation>log</translation>
    </message>
    <message>
        <source>none</source>
        <translation>ohne</translation>
    </message>
    <message>
        <source>Drag to select a range; click to clear it.</source>
        <translation>Ziehen wählt einen Bereich, ein Klick löscht ihn.</translation>
    </message>
</context>
<context>
    <name>seedbed::ui::ParallelText</name>
    <message>
        <source>Score</source>
        <translation>Punktzahl</translation>
    </message>
</context>
<context>
    <name>seedbed::ui::ParallelView</name>
    <message>
        <source>Show as table</source>
        <translation>Als Tabelle</translation>
    </message>
    <message>
        <source>Importance of the settings</source>
        <translation>Wichtigkeit der Einstellungen</translation>
    </message>
    <message>
        <source>Clear ranges</source>
        <translation>Bereiche löschen</translation>
    </message>
    <message>
        <source>Settings and scores of the compared runs</source>
        <translation>Einstellungen und Punktzahlen der verglichenen Läufe</translation>
    </message>
    <message>
        <source>Arrow keys select axes and runs. Page Up and Page Down make the value of the run the end of the range, Delete clears the range of the axis, Escape all.</source>
        <translation>Pfeiltasten wählen Achsen und Läufe. Bild auf und Bild ab machen den Wert des Laufs zum Ende des Bereichs, Entf löscht den Bereich der Achse, Esc alle.</translation>
    </message>
    <message>
        <source>Run</source>
        <translation>Lauf</translation>
    </message>
    <message>
        <source>No setting differs between the runs, except the seed.</source>
        <translation>Die Läufe unterscheiden sich in keiner Einstellung außer dem Seed.</translation>
    </message>
    <message numerus="yes">
        <source>%1 of %n run(s) inside the ranges.</source>
        <translation>
            <numerusform>%1 von %n Lauf innerhalb der Bereiche.</numerusform>
            <numerusform>%1 von %n Läufen innerhalb der Bereiche.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n run(s); blue has the lowest score, orange the highest. Drag on an axis to select a range.</source>
        <translation>
            <numerusform>%n Lauf; blau ist die niedrigste Punktzahl, orange die höchste. Ziehen auf einer Achse wählt einen Bereich.</numerusform>
            <numerusform>%n Läufe; blau ist die niedrigste Punktzahl, orange die höchste. Ziehen auf einer Achse wählt einen Bereich.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n more setting(s) differ; the tab Settings lists them.</source>
        <translation>
            <numerusform>%n weitere Einstellung ist verschieden; der Reiter Einstellungen nennt sie.</numerusform>
            <numerusform>%n weitere Einstellungen sind verschieden; der Reiter Einstellungen nennt sie.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>seedbed::ui::PayoffView</name>
    <message>
        <source>Scores of the members against each other</source>
        <translation>Ergebnisse der Mitglieder gegeneinander</translation>
    </message>
    <message>
        <source>%1 against %2: %3 wins, %4 draws, %5 losses</source>
        <translation>%1 gegen %2: %3 Siege, %4 Unentschieden, %5 Niederlagen</translation>
    </message>
    <message>
        <source>%1 against %2: no games yet</source>
        <translation>%1 gegen %2: noch keine Spiele</translation>
    </message>
</context>
<context>
    <name>seedbed::ui::PlayPanel</name>
    <message>
        <source>The policy continues (Esc)</source>
        <translation>Die Policy spielt weiter (Esc)</translation>
    </message>
    <message>
        <source>You play seat %1</source>
        <translation>Du spielst Platz %1</translation>
    </message>
    <message>
        <source>You play</source>
        <translation>Du spielst</translation>
    </message>
    <message>
        <source>Your action; Return plays it</source>
        <translation>Deine Aktion; die Eingabetaste spielt sie</translation>
    </message>
    <message>
        <source>Your move</source>
        <translation>Du bist am Zug</translation>
    </message>
    <message>
        <source>The other side moves</source>
        <translation>Die andere Seite zieht</translation>
    </message>
    <message>
        <source>Paused: each key plays one step</source>
        <translation>Angehalten: Jede Taste spielt einen Schritt</translation>
    </message>
    <message>
        <source>The game waits for your keys</source>
        <translation>Das Spiel wartet auf deine Tasten</translation>
    </message>
    <message>
        <source>Hold a key to act</source>
        <translation>Halte eine Taste gedrückt</translation>
    </message>
    <message>
        <source>Let the agent play</source>
        <translation>Den Agenten spielen lassen</translation>
    </message>
    <message>
        <source>Paused</source>
        <translation>Angehalten</translation>
    </message>
    <message>
        <source>Press a key to play on</source>
        <translation>Eine Taste setzt das Spiel fort</translation>
    </message>
    <message>
        <source>Game over: return %1. A key starts the next</source>
        <translation>Spiel zu Ende: Return %1. Eine Taste startet das nächste</translation>
    </message>
    <message>
        <source>Colour of your pieces</source>
        <translation>Farbe deiner Steine</translation>
    </message>
    <message>
        <source>Your move: click on the board</source>
        <translation>Du bist am Zug: klicke auf das Brett</translation>
    </message>
    <message>
        <source>Game over: return %1. The next game has begun</source>
        <translation>Spiel zu Ende: Return %1. Das nächste hat begonnen</translation>
    </message>
</context>
<context>
    <name>seedbed::ui::PlayerChoice</name>
    <message>
        <source>First player</source>
        <translation>Erster Spieler</translation>
    </message>
    <message>
        <source>Second player</source>
        <translation>Zweiter Spieler</translation>
    </message>
    <message>
        <source>Weights of the first player</source>
        <translation>Gewichte des ersten Spielers</translation>
    </message>
    <message>
        <source>Weights of the second player</source>
        <translation>Gewichte des zweiten Spielers</translation>
    </message>
    <message>
        <source>No weights yet</source>
        <translation>Noch keine Gewichte</translation>
    </message>
    <message>
        <source>Newest weights</source>
        <translation>Neueste Gewichte</translation>
    </message>
    <message>
        <source>Step %1</source>
        <comment>of a run</comment>
        <translation>Schritt %1</translation>
    </message>
    <message>
        <source>Step %1 (deleted)</source>
        <translation>Schritt %1 (gelöscht)</translation>
    </message>
    <message>
        <source>you</source>
        <translation>Mensch</translation>
    </message>
    <message>
        <source>run %1</source>
        <translation>Lauf %1</translation>
    </message>
    <message>
        <source>Step 0, untrained</source>
        <translation>Schritt 0, untrainiert</translation>
    </message>
    <message>
        <source>%1 at step %2</source>
        <translation>%1 bei Schritt %2</translation>
    </message>
</context>
<context>
    <name>seedbed::ui::PlayerClient</name>
    <message>
        <source>%1 could not be started: %2. Is Seedbed installed completely?</source>
        <translation>%1 konnte nicht gestartet werden: %2. Ist Seedbed vollständig installiert?</translation>
    </message>
    <message>
        <source>The player stopped unexpectedly. Training is not affected; restart the player.</source>
        <translation>Das Abspielen ist unerwartet zu Ende gegangen. Das Training ist nicht betroffen; starte es noch einmal.</translation>
    </message>
    <message>
        <source>The player exited with code %1. Training is not affected; restart the player.</source>
        <translation>Das Abspielen ist zu Ende (Code %1). Das Training ist nicht betroffen; starte es noch einmal.</translation>
    </message>
</context>
<context>
    <name>seedbed::ui::PoliciesView</name>
    <message>
        <source>Policies</source>
        <translation>Policies</translation>
    </message>
    <message>
        <source>Filter by name, environment or algorithm</source>
        <translation>Nach Name, Umgebung oder Algorithmus filtern</translation>
    </message>
    <message>
        <source>Filter policies</source>
        <translation>Policies filtern</translation>
    </message>
    <message>
        <source>&amp;Import…</source>
        <translation>&amp;Importieren…</translation>
    </message>
    <message>
        <source>Import a policy</source>
        <translation>Policy importieren</translation>
    </message>
    <message>
        <source>Remove permanently</source>
        <translation>Endgültig entfernen</translation>
    </message>
    <message>
        <source>Keep</source>
        <translation>Behalten</translation>
    </message>
    <message>
        <source>No policies yet. Train one: its best weights appear here. Policies of other people can be imported.</source>
        <translation>Noch keine Policies. Nach dem Training stehen hier die besten Gewichte. Policies anderer lassen sich importieren.</translation>
    </message>
    <message>
        <source>No policy matches the filter.</source>
        <translation>Keine Policy passt zum Filter.</translation>
    </message>
    <message>
        <source>Imported; its source was not recorded.</source>
        <translation>Importiert; die Quelle wurde nicht aufgezeichnet.</translation>
    </message>
    <message>
        <source>Imported from %1</source>
        <translation>Importiert aus %1</translation>
    </message>
    <message>
        <source>Copied: %1</source>
        <translation>Kopiert: %1</translation>
    </message>
    <message>
        <source>Remove the imported policy %1? Its copy in the data folder is deleted permanently; the files it was imported from stay.</source>
        <translation>Die importierte Policy %1 entfernen? Ihre Kopie im Datenordner wird endgültig gelöscht; die Dateien, aus denen sie stammt, bleiben.</translation>
    </message>
    <message>
        <source>Removed the policy %1</source>
        <translation>Policy %1 entfernt</translation>
    </message>
    <message>
        <source>Weights (*.safetensors)</source>
        <translation>Gewichte (*.safetensors)</translation>
    </message>
    <message>
        <source>All files (*)</source>
        <translation>Alle Dateien (*)</translation>
    </message>
    <message>
        <source>Import an exported policy or a checkpoint</source>
        <translation>Exportierte Policy oder Speicherstand importieren</translation>
    </message>
    <message>
        <source>Import a file with weights</source>
        <translation>Datei mit Gewichten importieren</translation>
    </message>
    <message>
        <source>Imported curves as runs, without weights</source>
        <translation>Kurven als Läufe importiert, ohne Gewichte</translation>
    </message>
    <message>
        <source>Imported the policy %1</source>
        <translation>Policy %1 importiert</translation>
    </message>
    <message>
        <source>Order of the policies</source>
        <translation>Reihenfolge der Policies</translation>
    </message>
    <message>
        <source>Newest first</source>
        <translation>Neueste zuerst</translation>
    </message>
    <message>
        <source>By name</source>
        <translation>Nach Name</translation>
    </message>
    <message>
        <source>By environment and score</source>
        <translation>Nach Umgebung und Punktzahl</translation>
    </message>
    <message>
        <source>Rename policy</source>
        <translation>Policy umbenennen</translation>
    </message>
    <message>
        <source>New name of the imported policy (letters, digits, “_”, “.” and “-”):</source>
        <translation>Neuer Name der importierten Policy (Buchstaben, Ziffern, „_“, „.“ und „-“):</translation>
    </message>
    <message>
        <source>Rename</source>
        <translation>Umbenennen</translation>
    </message>
    <message>
        <source>Renamed the policy to %1</source>
        <translation>Policy in %1 umbenannt</translation>
    </message>
    <message>
        <source>There is already a policy with this name.</source>
        <translation>Es gibt schon eine Policy mit diesem Namen.</translation>
    </message>
    <message>
        <source>%1: the weights with the best evaluation</source>
        <translation>%1: die Gewichte mit der besten Auswertung</translation>
    </message>
    <message>
        <source>%1: the newest stored weights</source>
        <translation>%1: die neuesten gespeicherten Gewichte</translation>
    </message>
</context>
<context>
    <name>seedbed::ui::PolicyList</name>
    <message>
        <source>imported</source>
        <translation>importiert</translation>
    </message>
    <message>
        <source>%1 steps</source>
        <translation>%1 Schritte</translation>
    </message>
    <message>
        <source>In evaluation</source>
        <translation>In der Auswertung</translation>
    </message>
    <message>
        <source>In training</source>
        <translation>Im Training</translation>
    </message>
    <message>
        <source>score %1</source>
        <translation>Wertung %1</translation>
    </message>
    <message>
        <source>Solved: goal %1</source>
        <translation>Gelöst: Ziel %1</translation>
    </message>
    <message>
        <source>Not solved yet: goal %1</source>
        <translation>Noch nicht gelöst: Ziel %1</translation>
    </message>
</context>
<context>
    <name>seedbed::ui::PolicyRow</name>
    <message>
        <source>imported</source>
        <translation>importiert</translation>
    </message>
</context>
<context>
    <name>seedbed::ui::PopulationList</name>
    <message>
        <source>The population is complete.</source>
        <translation>Die Population ist abgeschlossen.</translation>
    </message>
    <message>
        <source>Stopping: the members that train save a checkpoint.</source>
        <translation>Wird gestoppt: Die trainierenden Mitglieder sichern einen Speicherstand.</translation>
    </message>
</context>
<context>
    <name>seedbed::ui::PopulationPage</name>
    <message>
        <source>New population…</source>
        <translation>Neue Population…</translation>
    </message>
    <message>
        <source>Open the best run</source>
        <translation>Besten Lauf öffnen</translation>
    </message>
    <message>
        <source>Resume the population</source>
        <translation>Population fortsetzen</translation>
    </message>
    <message>
        <source>Stop the population</source>
        <translation>Population stoppen</translation>
    </message>
    <message>
        <source>Reload the populations</source>
        <translation>Populationen neu laden</translation>
    </message>
    <message>
        <source>Populations</source>
        <translation>Populationen</translation>
    </message>
    <message>
        <source>Population</source>
        <translation>Population</translation>
    </message>
    <message>
        <source>Members that train at the same time after resuming</source>
        <translation>Mitglieder, die nach dem Fortsetzen gleichzeitig trainieren</translation>
    </message>
    <message>
        <source>at the same time: </source>
        <translation>gleichzeitig: </translation>
    </message>
    <message>
        <source>Progress of the population</source>
        <translation>Fortschritt der Population</translation>
    </message>
    <message>
        <source>Lineage: each line is a learner with its settings, each branch a copy with changed settings. The bar shows the rounds in which it trained.</source>
        <translation>Abstammung: Jede Linie ist ein Lerner mit seinen Einstellungen, jeder Zweig eine Kopie mit geänderten Einstellungen. Der Balken zeigt, in welchen Runden der Lerner trainiert hat.</translation>
    </message>
    <message>
        <source>Members</source>
        <translation>Mitglieder</translation>
    </message>
    <message>
        <source>No populations yet. A population trains several agents at the same time and finds good values of a setting, such as the learning rate, on the way.</source>
        <translation>Noch keine Populationen. Eine Population trainiert mehrere Agenten gleichzeitig und findet dabei gute Werte einer Einstellung, etwa der Lernrate.</translation>
    </message>
    <message>
        <source>complete</source>
        <translation>abgeschlossen</translation>
    </message>
    <message>
        <source>running</source>
        <translation>trainiert</translation>
    </message>
    <message>
        <source>stopped</source>
        <translation>gestoppt</translation>
    </message>
    <message numerus="yes">
        <source>%n member(s)</source>
        <translation>
            <numerusform>ein Mitglied</numerusform>
            <numerusform>%n Mitglieder</numerusform>
        </translation>
    </message>
    <message>
        <source>%1 steps each</source>
        <translation>je %1 Schritte</translation>
    </message>
    <message>
        <source>minimises %1</source>
        <translation>minimiert %1</translation>
    </message>
    <message>
        <source>maximises %1</source>
        <translation>maximiert %1</translation>
    </message>
    <message>
        <source>Best: member %1 (run %2) with a score of %3.</source>
        <translation>Am besten: Mitglied %1 (Lauf %2) mit einer Punktzahl von %3.</translation>
    </message>
    <message>
        <source>Member %1 failed: %2</source>
        <translation>Mitglied %1 ist gescheitert: %2</translation>
    </message>
    <message>
        <source>round %1 of %2</source>
        <translation>Runde %1 von %2</translation>
    </message>
    <message>
        <source>copies another member</source>
        <translation>kopiert ein anderes Mitglied</translation>
    </message>
    <message>
        <source>to be trained in this round</source>
        <translation>kommt in dieser Runde noch an die Reihe</translation>
    </message>
    <message>
        <source>round complete</source>
        <translation>Runde abgeschlossen</translation>
    </message>
    <message>
        <source>failed</source>
        <translation>gescheitert</translation>
    </message>
    <message>
        <source>Member</source>
        <translation>Mitglied</translation>
    </message>
    <message>
        <source>Run</source>
        <translation>Lauf</translation>
    </message>
    <message>
        <source>State</source>
        <translation>Zustand</translation>
    </message>
    <message>
        <source>Score</source>
        <translation>Punktzahl</translation>
    </message>
    <message>
        <source>Best: member %1 (run %2) with an evaluation of %3.</source>
        <translation>Am besten: Mitglied %1 (Lauf %2) mit %3 in der Auswertung.</translation>
    </message>
</context>
<context>
    <name>seedbed::ui::QueueModel</name>
    <message>
        <source>queued, paused</source>
        <translation>wartet, angehalten</translation>
    </message>
    <message>
        <source>queued to resume</source>
        <translation>wartet auf Fortsetzung</translation>
    </message>
    <message>
        <source>queued</source>
        <translation>wartet</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1: %2</translation>
    </message>
    <message>
        <source>%1 steps</source>
        <translation>%1 Schritte</translation>
    </message>
    <message>
        <source>%1 of %2 steps</source>
        <translation>%1 von %2 Schritten</translation>
    </message>
    <message>
        <source>%1 steps/s</source>
        <translation>%1 Schritte/s</translation>
    </message>
    <message>
        <source>no estimate yet</source>
        <translation>noch keine Schätzung</translation>
    </message>
    <message>
        <source>%1 left</source>
        <translation>noch %1</translation>
    </message>
    <message>
        <source>ends in %1</source>
        <translation>endet in %1</translation>
    </message>
    <message>
        <source>takes %1</source>
        <translation>dauert %1</translation>
    </message>
    <message>
        <source>starts now, ends in %1</source>
        <translation>beginnt jetzt, endet in %1</translation>
    </message>
    <message>
        <source>starts in %1, ends in %2</source>
        <translation>beginnt in %1, endet in %2</translation>
    </message>
</context>
<context>
    <name>seedbed::ui::QueuePage</name>
    <message>
        <source>Runs at a &amp;time</source>
        <translation>Läufe gleich&amp;zeitig</translation>
    </message>
    <message>
        <source>Runs at a time</source>
        <translation>Läufe gleichzeitig</translation>
    </message>
    <message>
        <source>Queue</source>
        <translation>Warteschlange</translation>
    </message>
    <message>
        <source>Move up</source>
        <translation>Früher</translation>
    </message>
    <message>
        <source>Move down</source>
        <translation>Später</translation>
    </message>
    <message>
        <source>Pause run</source>
        <translation>Lauf anhalten</translation>
    </message>
    <message>
        <source>Stop run</source>
        <translation>Lauf stoppen</translation>
    </message>
    <message>
        <source>Remove from the queue</source>
        <translation>Aus der Warteschlange nehmen</translation>
    </message>
    <message>
        <source>Pause the queue</source>
        <translation>Warteschlange anhalten</translation>
    </message>
    <message>
        <source>The queue is empty. Click “Train” on the start page to add runs.</source>
        <translation>Die Warteschlange ist leer. Ein Klick auf „Trainieren“ auf der Startseite fügt Läufe hinzu.</translation>
    </message>
    <message numerus="yes">
        <source>%n running</source>
        <translation>
            <numerusform>%n Lauf trainiert</numerusform>
            <numerusform>%n Läufe trainieren</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n queued</source>
        <translation>
            <numerusform>%n Lauf wartet</numerusform>
            <numerusform>%n Läufe warten</numerusform>
        </translation>
    </message>
    <message>
        <source> · queue paused: no further runs are started</source>
        <translation> · angehalten: nichts Weiteres wird gestartet</translation>
    </message>
    <message>
        <source>Resume the queue</source>
        <translation>Warteschlange fortsetzen</translation>
    </message>
    <message numerus="yes">
        <source>Remove %n run(s) from the queue</source>
        <translation>
            <numerusform>%n Lauf aus der Warteschlange nehmen</numerusform>
            <numerusform>%n Läufe aus der Warteschlange nehmen</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n paused</source>
        <translation>
            <numerusform>%n Lauf angehalten</numerusform>
            <numerusform>%n Läufe angehalten</numerusform>
        </translation>
    </message>
    <message>
        <source> · queue stopped: click “Start the queue”</source>
        <translation> · Warteschlange gestoppt: „Warteschlange starten“ anklicken</translation>
    </message>
    <message>
        <source>Start the queue</source>
        <translation>Warteschlange starten</translation>
    </message>
    <message>
        <source>Resume run</source>
        <translation>Lauf fortsetzen</translation>
    </message>
    <message>
        <source>Past estimates: within 20 % in %1 of %2 runs</source>
        <translation>Frühere Schätzungen: bei %1 von %2 Läufen auf 20 % genau</translation>
    </message>
    <message>
        <source>For each finished run: the estimate that earlier runs gave when it started, compared with its training time</source>
        <translation>Für jeden abgeschlossenen Lauf: die Schätzung, die frühere Läufe bei seinem Beginn ergaben, verglichen mit seiner Trainingszeit</translation>
    </message>
    <message>
        <source>Rules for pauses: battery, games, other programs</source>
        <translation>Regeln für Pausen: Akku, Spiele, andere Programme</translation>
    </message>
    <message numerus="yes">
        <source>%n run(s) removed from the queue.</source>
        <translation>
            <numerusform>%n Lauf aus der Warteschlange genommen.</numerusform>
            <numerusform>%n Läufe aus der Warteschlange genommen.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>seedbed::ui::RunEstimate</name>
    <message>
        <source>About %1 of memory per run</source>
        <translation>Etwa %1 Speicher je Lauf</translation>
    </message>
    <message>
        <source>Estimating memory and time…</source>
        <translation>Speicher und Zeit werden geschätzt …</translation>
    </message>
    <message>
        <source>Measuring the speed…</source>
        <translation>Das Tempo wird gemessen …</translation>
    </message>
    <message>
        <source>The speed could not be measured.</source>
        <translation>Das Tempo konnte nicht gemessen werden.</translation>
    </message>
    <message>
        <source>No limit on steps; %1 steps/s (just measured)</source>
        <translation>Keine Grenze für Schritte; %1 Schritte/s (eben gemessen)</translation>
    </message>
    <message>
        <source>About %1 for %2 steps at %3 steps/s (just measured)</source>
        <translation>Etwa %1 für %2 Schritte bei %3 Schritten/s (eben gemessen)</translation>
    </message>
    <message>
        <source>There is no preset for this environment: its settings are defaults, not tuned for this task.</source>
        <translation>Für diese Umgebung gibt es keine Voreinstellung: Die Einstellungen sind Standardwerte und nicht auf diese Aufgabe abgestimmt.</translation>
    </message>
    <message>
        <source>Training stops after %1 steps unless you change the setting Steps.</source>
        <translation>Das Training endet nach %1 Schritten, wenn du die Einstellung „Schritte“ nicht änderst.</translation>
    </message>
    <message>
        <source>about %1</source>
        <translation>etwa %1</translation>
    </message>
    <message>
        <source>No preset is chosen: the settings are defaults, not tuned for this task.</source>
        <translation>Keine Voreinstellung ist gewählt: Die Einstellungen sind Standardwerte, nicht für diese Aufgabe abgestimmt.</translation>
    </message>
</context>
<context>
    <name>seedbed::ui::RunHeader</name>
    <message>
        <source>S&amp;top</source>
        <translation>S&amp;toppen</translation>
    </message>
    <message>
        <source>Save &amp;checkpoint</source>
        <translation>Speicherstand si&amp;chern</translation>
    </message>
    <message>
        <source>Status</source>
        <translation>Status</translation>
    </message>
    <message>
        <source>Progress</source>
        <translation>Fortschritt</translation>
    </message>
    <message>
        <source>Steps</source>
        <translation>Schritte</translation>
    </message>
    <message>
        <source>Steps/s</source>
        <translation>Schritte/s</translation>
    </message>
    <message>
        <source>Training time</source>
        <translation>Trainingszeit</translation>
    </message>
    <message>
        <source>Time left</source>
        <translation>Restzeit</translation>
    </message>
    <message>
        <source>Next checkpoint</source>
        <translation>Nächster Speicherstand</translation>
    </message>
    <message>
        <source>Last return</source>
        <translation>Letzter Ertrag</translation>
    </message>
    <message>
        <source>Best return</source>
        <translation>Bester Ertrag</translation>
    </message>
    <message>
        <source>The run will stop after the current update. Its state will be saved, and it can be resumed.</source>
        <translation>Der Lauf stoppt nach seinem Lernschritt; sein Stand wird gesichert, und er kann fortgesetzt werden.</translation>
    </message>
    <message>
        <source>The run will pause after the current update.</source>
        <translation>Der Lauf hält nach seinem Lernschritt an.</translation>
    </message>
    <message>
        <source>A checkpoint will be saved after the current update.</source>
        <translation>Der Lauf wird nach seinem Lernschritt gesichert.</translation>
    </message>
    <message>
        <source>The run is resuming.</source>
        <translation>Der Lauf geht weiter.</translation>
    </message>
    <message>
        <source>Saving is currently failing. Training continues, and saving is retried.</source>
        <translation>Das Speichern gelingt im Augenblick nicht; das Training geht weiter, und das Speichern wird wieder versucht.</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%1 von %2</translation>
    </message>
    <message>
        <source>mean over training episodes</source>
        <translation>Mittel über Trainingsepisoden</translation>
    </message>
    <message>
        <source>W&amp;atch</source>
        <translation>Z&amp;usehen</translation>
    </message>
    <message>
        <source>Pa&amp;use</source>
        <translation>&amp;Pause</translation>
    </message>
    <message>
        <source>Ex&amp;port…</source>
        <translation>&amp;Exportieren …</translation>
    </message>
    <message>
        <source>Compa&amp;re</source>
        <translation>Ve&amp;rgleichen</translation>
    </message>
    <message>
        <source>Res&amp;ume</source>
        <translation>Fortset&amp;zen</translation>
    </message>
    <message>
        <source>The run was queued and will resume from its last checkpoint.</source>
        <translation>Der Lauf geht von seinem letzten Speicherstand weiter, wenn er in der Warteschlange an der Reihe ist.</translation>
    </message>
    <message>
        <source>The run is not responding. The values shown are the last ones it reported; its saved checkpoints are safe.</source>
        <translation>Der Lauf antwortet nicht. Gezeigt werden die zuletzt gemeldeten Werte; seine Speicherstände sind sicher.</translation>
    </message>
    <message>
        <source>collecting and learning</source>
        <translation>sammelt und lernt</translation>
    </message>
    <message>
        <source>collecting experience</source>
        <translation>sammelt Erfahrung</translation>
    </message>
    <message>
        <source>updating the policy</source>
        <translation>lernt daraus</translation>
    </message>
    <message>
        <source>evaluating</source>
        <translation>wertet aus</translation>
    </message>
    <message>
        <source>saving a checkpoint</source>
        <translation>sichert einen Speicherstand</translation>
    </message>
    <message>
        <source>waiting to save</source>
        <translation>wartet, bis gesichert werden kann</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1: %2</translation>
    </message>
    <message>
        <source>Steps/s now</source>
        <translation>Schritte/s jetzt</translation>
    </message>
    <message>
        <source>Steps/s overall</source>
        <translation>Schritte/s insgesamt</translation>
    </message>
    <message>
        <source>Steps per second of training time, including evaluations and saving</source>
        <translation>Schritte je Sekunde der Trainingszeit, Auswertungen und Sichern eingeschlossen</translation>
    </message>
    <message>
        <source>Last evaluation</source>
        <translation>Letzte Auswertung</translation>
    </message>
    <message>
        <source>Last training return</source>
        <translation>Letzter Ertrag im Training</translation>
    </message>
    <message>
        <source>Best evaluation</source>
        <translation>Beste Auswertung</translation>
    </message>
    <message>
        <source>Best training return</source>
        <translation>Bester Ertrag im Training</translation>
    </message>
    <message>
        <source>mean of the newest evaluation</source>
        <translation>Mittel der neuesten Auswertung</translation>
    </message>
    <message>
        <source>highest mean of all evaluations; the highest of many is partly luck</source>
        <translation>höchstes Mittel aller Auswertungen; das höchste von vielen ist zum Teil Glück</translation>
    </message>
    <message>
        <source>highest mean over training episodes; this run was never evaluated</source>
        <translation>höchstes Mittel über Trainingsepisoden; dieser Lauf wurde nie ausgewertet</translation>
    </message>
    <message>
        <source>a resume starts at step %1</source>
        <translation>fortgesetzt wird ab Schritt %1</translation>
    </message>
    <message>
        <source>Train &amp;longer…</source>
        <translation>&amp;Länger trainieren …</translation>
    </message>
    <message>
        <source>Again with chan&amp;ges…</source>
        <translation>No&amp;ch einmal mit Änderungen …</translation>
    </message>
    <message>
        <source>Train longer</source>
        <translation>Länger trainieren</translation>
    </message>
    <message>
        <source>The run ended after %1 steps. Train it up to this step (such as 200k or 1.5M):</source>
        <translation>Der Lauf endete nach %1 Schritten. Bis zu diesem Schritt trainieren (etwa 200k oder 1.5M):</translation>
    </message>
    <message>
        <source>Train</source>
        <translation>Trainieren</translation>
    </message>
    <message>
        <source>“%1” is not a number of steps above %2; the run was not changed.</source>
        <translation>„%1“ ist keine Schrittzahl über %2; der Lauf blieb unverändert.</translation>
    </message>
    <message>
        <source>No run is selected.</source>
        <translation>Es ist kein Lauf ausgewählt.</translation>
    </message>
    <message>
        <source>Only a finished run can be trained longer.</source>
        <translation>Nur ein beendeter Lauf kann länger trainiert werden.</translation>
    </message>
    <message>
        <source>The run was queued and will start again.</source>
        <translation>Der Lauf wurde eingereiht und beginnt von vorn.</translation>
    </message>
    <message>
        <source>Start agai&amp;n</source>
        <translation>&amp;Neu starten</translation>
    </message>
    <message>
        <source>Chan&amp;ge settings…</source>
        <translation>Einstellun&amp;gen ändern…</translation>
    </message>
</context>
<context>
    <name>seedbed::ui::RunMonitor</name>
    <message numerus="yes">
        <source>%n run(s) finished</source>
        <translation>
            <numerusform>%n Lauf beendet</numerusform>
            <numerusform>%n Läufe beendet</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n run(s) failed</source>
        <translation>
            <numerusform>%n Lauf gescheitert</numerusform>
            <numerusform>%n Läufe gescheitert</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n run(s) interrupted</source>
        <translation>
            <numerusform>%n Lauf unterbrochen</numerusform>
            <numerusform>%n Läufe unterbrochen</numerusform>
        </translation>
    </message>
    <message>
        <source>Queue finished</source>
        <translation>Die Warteschlange ist abgearbeitet</translation>
    </message>
    <message numerus="yes">
        <source>%n run(s) training</source>
        <translation>
            <numerusform>%n Lauf trainiert</numerusform>
            <numerusform>%n Läufe trainieren</numerusform>
        </translation>
    </message>
    <message>
        <source>%1 % · %2</source>
        <translation>%1 % · %2</translation>
    </message>
    <message numerus="yes">
        <source>%n run(s) were interrupted. Their last checkpoints are saved, and they can be resumed from there.</source>
        <translation>
            <numerusform>%n Lauf wurde unterbrochen. Was er bis zum letzten Speicherstand gelernt hat, ist gesichert; von dort kann er weitergehen.</numerusform>
            <numerusform>%n Läufe wurden unterbrochen. Was sie bis zu ihren letzten Speicherständen gelernt haben, ist gesichert; von dort können sie weitergehen.</numerusform>
        </translation>
    </message>
    <message>
        <source>Resume</source>
        <translation>Fortsetzen</translation>
    </message>
    <message>
        <source>%1 reached its goal</source>
        <translation>%1 hat das Ziel erreicht</translation>
    </message>
    <message>
        <source>%1 finished</source>
        <translation>%1 ist beendet</translation>
    </message>
    <message>
        <source>%1 failed</source>
        <translation>%1 ist fehlgeschlagen</translation>
    </message>
    <message>
        <source>%1 was interrupted</source>
        <translation>%1 wurde unterbrochen</translation>
    </message>
    <message>
        <source>%1 steps/s</source>
        <translation>%1 Schritte/s</translation>
    </message>
    <message numerus="yes">
        <source>%n run(s) stopped</source>
        <translation>
            <numerusform>%n Lauf gestoppt</numerusform>
            <numerusform>%n Läufe gestoppt</numerusform>
        </translation>
    </message>
    <message>
        <source>%1 was stopped</source>
        <translation>%1 wurde gestoppt</translation>
    </message>
    <message>
        <source>%1 was interrupted at step %2. Its last checkpoint is saved, and it can be resumed from there.</source>
        <translation>%1 wurde bei Schritt %2 unterbrochen. Der letzte Checkpoint ist gespeichert, und du kannst den Lauf von dort fortsetzen.</translation>
    </message>
</context>
<context>
    <name>seedbed::ui::RunStore</name>
    <message>
        <source>Another program has locked the database in %1. Nothing is lost; the window reconnects when the lock is released.</source>
        <translation>Ein anderes Programm hält die Datenbank in %1 fest. Nichts ist verloren; das Fenster wartet darauf.</translation>
    </message>
    <message>
        <source>The data folder %1 is missing: it was moved, deleted or unmounted. The window shows the last known state and reconnects when the folder is back.</source>
        <translation>Der Datenordner %1 ist verschwunden: Er wurde verschoben, gelöscht oder ausgehängt. Gezeigt wird der letzte bekannte Stand; es geht von selbst weiter, sobald der Ordner wieder da ist.</translation>
    </message>
</context>
<context>
    <name>seedbed::ui::RunTableModel</name>
    <message>
        <source>queued</source>
        <translation>wartet</translation>
    </message>
    <message>
        <source>starting</source>
        <translation>startet</translation>
    </message>
    <message>
        <source>running</source>
        <translation>trainiert</translation>
    </message>
    <message>
        <source>paused</source>
        <translation>angehalten</translation>
    </message>
    <message>
        <source>stopping</source>
        <translation>stoppt</translation>
    </message>
    <message>
        <source>finished</source>
        <translation>beendet</translation>
    </message>
    <message>
        <source>failed</source>
        <translation>gescheitert</translation>
    </message>
    <message>
        <source>interrupted</source>
        <translation>unterbrochen</translation>
    </message>
    <message>
        <source>mean of an evaluation</source>
        <translation>Mittel einer Auswertung</translation>
    </message>
    <message>
        <source>mean over training episodes; this run was never evaluated</source>
        <translation>Mittel über Trainingsepisoden; dieser Lauf wurde nie ausgewertet</translation>
    </message>
    <message>
        <source>starred</source>
        <translation>mit Stern</translation>
    </message>
    <message>
        <source>not starred</source>
        <translation>ohne Stern</translation>
    </message>
    <message>
        <source>Star</source>
        <translation>Stern</translation>
    </message>
    <message>
        <source>Run</source>
        <translation>Lauf</translation>
    </message>
    <message>
        <source>Name</source>
        <translation>Name</translation>
    </message>
    <message>
        <source>Status</source>
        <translation>Status</translation>
    </message>
    <message>
        <source>Environment</source>
        <translation>Umgebung</translation>
    </message>
    <message>
        <source>Algorithm</source>
        <translation>Algorithmus</translation>
    </message>
    <message>
        <source>Seed</source>
        <translation>Seed</translation>
    </message>
    <message>
        <source>Steps</source>
        <translation>Schritte</translation>
    </message>
    <message>
        <source>Last return</source>
        <translation>Letzter Ertrag</translation>
    </message>
    <message>
        <source>Best return</source>
        <translation>Bester Ertrag</translation>
    </message>
    <message>
        <source>Steps/s</source>
        <translation>Schritte/s</translation>
    </message>
    <message>
        <source>Tags</source>
        <translation>Schlagwörter</translation>
    </message>
    <message>
        <source>Notes</source>
        <translation>Notizen</translation>
    </message>
    <message>
        <source>Started</source>
        <translation>Begonnen</translation>
    </message>
    <message>
        <source>training started %1; created %2</source>
        <translation>trainiert seit %1; angelegt oder eingereiht %2</translation>
    </message>
    <message>
        <source>training has not started; created %1</source>
        <translation>trainiert noch nicht; angelegt oder eingereiht %1</translation>
    </message>
    <message>
        <source>Star: click to add or remove</source>
        <translation>Stern: Klick gibt oder nimmt ihn</translation>
    </message>
    <message>
        <source>Steps trained so far</source>
        <translation>Bisher trainierte Schritte</translation>
    </message>
    <message>
        <source>Mean return of the newest evaluation; with “~”: of the newest training episodes, for runs that were never evaluated</source>
        <translation>Mittlerer Ertrag der neuesten Auswertung; mit „~“: der neuesten Trainingsepisoden, bei nie ausgewerteten Läufen</translation>
    </message>
    <message>
        <source>Highest mean return of all evaluations; with “~”: of training episodes, for runs that were never evaluated</source>
        <translation>Höchster mittlerer Ertrag aller Auswertungen; mit „~“: von Trainingsepisoden, bei nie ausgewerteten Läufen</translation>
    </message>
    <message>
        <source>Steps per second of training time, over the whole run</source>
        <translation>Schritte je Sekunde Trainingszeit, über den ganzen Lauf</translation>
    </message>
    <message>
        <source>When training started</source>
        <translation>Wann das Training begann</translation>
    </message>
    <message>
        <source>Settings that differ from the preset; first those that distinguish the run from others of the same environment, algorithm and preset</source>
        <translation>Einstellungen, die von der Voreinstellung abweichen; zuerst die, die den Lauf von anderen derselben Umgebung, desselben Algorithmus und derselben Voreinstellung unterscheiden</translation>
    </message>
    <message>
        <source>Changed</source>
        <translation>Geändert</translation>
    </message>
</context>
<context>
    <name>seedbed::ui::RunTableView</name>
    <message>
        <source>Filter: words, env:cartpole, tag:baseline, status:failed, is:star, -word</source>
        <translation>Filter: Wörter, env:cartpole, tag:baseline, status:failed, is:star, -Wort</translation>
    </message>
    <message>
        <source>Filter runs</source>
        <translation>Läufe filtern</translation>
    </message>
    <message>
        <source>Runs</source>
        <translation>Läufe</translation>
    </message>
    <message>
        <source>Archive</source>
        <translation>Archiv</translation>
    </message>
    <message>
        <source>Trash</source>
        <translation>Papierkorb</translation>
    </message>
    <message>
        <source>Runs to show</source>
        <translation>Welche Läufe</translation>
    </message>
    <message>
        <source>Columns</source>
        <translation>Spalten</translation>
    </message>
    <message>
        <source>Selected runs</source>
        <translation>Ausgewählte Läufe</translation>
    </message>
    <message>
        <source>Runs as CSV…</source>
        <translation>Läufe als CSV …</translation>
    </message>
    <message>
        <source>Runs as Markdown…</source>
        <translation>Läufe als Markdown …</translation>
    </message>
    <message>
        <source>Save table</source>
        <translation>Tabelle speichern</translation>
    </message>
    <message>
        <source>Star</source>
        <translation>Stern</translation>
    </message>
    <message numerus="yes">
        <source>%n run(s)</source>
        <translation>
            <numerusform>%n Lauf</numerusform>
            <numerusform>%n Läufe</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 of %n run(s)</source>
        <translation>
            <numerusform>%1 von %n Lauf</numerusform>
            <numerusform>%1 von %n Läufen</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>, %n selected</source>
        <translation>
            <numerusform>, %n ausgewählt</numerusform>
            <numerusform>, %n ausgewählt</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source> (%n of them hidden by the filter)</source>
        <translation>
            <numerusform> (%n davon vom Filter verborgen)</numerusform>
            <numerusform> (%n davon vom Filter verborgen)</numerusform>
        </translation>
    </message>
    <message>
        <source>No run matches the filter. </source>
        <translation>Kein Lauf passt zum Filter. </translation>
    </message>
    <message>
        <source>“%1:” is not a field of runs; the fields are %2.</source>
        <translation>„%1:“ ist kein Feld von Läufen; Felder sind %2.</translation>
    </message>
    <message>
        <source>There are no runs yet.</source>
        <translation>Es gibt noch keine Läufe.</translation>
    </message>
    <message numerus="yes">
        <source>%n run(s) restored from the archive.</source>
        <translation>
            <numerusform>%n Lauf aus dem Archiv geholt.</numerusform>
            <numerusform>%n Läufe aus dem Archiv geholt.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n run(s) in progress were not moved to trash; stop them first.</source>
        <translation>
            <numerusform>%n laufender Lauf blieb, wo er ist; stoppe ihn zuerst.</numerusform>
            <numerusform>%n laufende Läufe blieben, wo sie sind; stoppe sie zuerst.</numerusform>
        </translation>
    </message>
    <message>
        <source>Add tag</source>
        <translation>Schlagwort hinzufügen</translation>
    </message>
    <message numerus="yes">
        <source>Tag for %n run(s)</source>
        <translation>
            <numerusform>Schlagwort für %n Lauf</numerusform>
            <numerusform>Schlagwort für %n Läufe</numerusform>
        </translation>
    </message>
    <message>
        <source>Saved %1</source>
        <translation>%1 gespeichert</translation>
    </message>
    <message>
        <source>; the first %1 can be compared</source>
        <translation>; die ersten %1 können verglichen werden</translation>
    </message>
    <message>
        <source>No runs are compared: select some in the table and click Compare.</source>
        <translation>Keine Läufe werden verglichen: Wählen Sie welche in der Tabelle und klicken Sie auf Vergleichen.</translation>
    </message>
    <message numerus="yes">
        <source>%n run(s) archived.</source>
        <translation>
            <numerusform>%n Lauf archiviert.</numerusform>
            <numerusform>%n Läufe archiviert.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n run(s) moved to trash.</source>
        <translation>
            <numerusform>%n Lauf liegt im Papierkorb.</numerusform>
            <numerusform>%n Läufe liegen im Papierkorb.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>seedbed::ui::RunTitle</name>
    <message>
        <source>%1 · run %2</source>
        <translation>%1 · Lauf %2</translation>
    </message>
    <message>
        <source>seed %1</source>
        <translation>Seed %1</translation>
    </message>
</context>
<context>
    <name>seedbed::ui::RunVerdict</name>
    <message>
        <source>%1, sooner than %2 of %3 other finished runs of this environment</source>
        <translation>%1, früher als %2 von %3 anderen beendeten Läufen dieser Umgebung</translation>
    </message>
    <message>
        <source>%1, and random actions reach %2. Something prevents learning.</source>
        <translation>%1, und zufällige Aktionen erreichen %2. Etwas verhindert das Lernen.</translation>
    </message>
</context>
<context>
    <name>seedbed::ui::RunVerdictStrip</name>
    <message>
        <source>Watch the &amp;moment</source>
        <translation>Diesen &amp;Moment ansehen</translation>
    </message>
    <message>
        <source>Watch the agent with the weights of the checkpoint nearest to this step</source>
        <translation>Dem Agenten mit den Gewichten des nächstgelegenen Speicherstands zusehen</translation>
    </message>
    <message>
        <source>Train longer…</source>
        <translation>Länger trainieren …</translation>
    </message>
    <message>
        <source>What is wrong?</source>
        <translation>Was stimmt nicht?</translation>
    </message>
    <message>
        <source>What the training doctor found in the metrics of this run</source>
        <translation>Was der Doktor in den Messwerten dieses Laufs fand</translation>
    </message>
</context>
<context>
    <name>seedbed::ui::ScatterView</name>
    <message>
        <source>&amp;Setting</source>
        <translation>&amp;Einstellung</translation>
    </message>
    <message>
        <source>&amp;Against</source>
        <translation>&amp;Gegen</translation>
    </message>
    <message>
        <source>Log x</source>
        <translation>log x</translation>
    </message>
    <message>
        <source>Show as table</source>
        <translation>Als Tabelle</translation>
    </message>
    <message>
        <source>Scatter plot</source>
        <translation>Streudiagramm</translation>
    </message>
    <message>
        <source>Run</source>
        <translation>Lauf</translation>
    </message>
    <message>
        <source>Group</source>
        <translation>Gruppe</translation>
    </message>
    <message>
        <source>Setting</source>
        <translation>Einstellung</translation>
    </message>
    <message>
        <source>Value</source>
        <translation>Wert</translation>
    </message>
    <message>
        <source>Scatter plot as a table</source>
        <translation>Streudiagramm als Tabelle</translation>
    </message>
    <message>
        <source>Score</source>
        <translation>Punktzahl</translation>
    </message>
    <message>
        <source>Best return</source>
        <translation>Bester Ertrag</translation>
    </message>
    <message>
        <source>Steps per second</source>
        <translation>Schritte je Sekunde</translation>
    </message>
    <message numerus="yes">
        <source>%n run(s): %1 against %2</source>
        <translation>
            <numerusform>%n Lauf: %1 gegen %2</numerusform>
            <numerusform>%n Läufe: %1 gegen %2</numerusform>
        </translation>
    </message>
    <message>
        <source>%1, mean over the last tenth</source>
        <translation>%1, Mittel des letzten Zehntels</translation>
    </message>
    <message numerus="yes">
        <source>%n more group(s) do not fit into the legend; the table lists them.</source>
        <translation>
            <numerusform>%n weitere Gruppe hat neben dem Bild keinen Platz; die Tabelle nennt sie.</numerusform>
            <numerusform>%n weitere Gruppen haben neben dem Bild keinen Platz; die Tabelle nennt sie.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n run(s) omitted: no such setting, or no value yet.</source>
        <translation>
            <numerusform>%n Lauf fehlt hier: Er hat diese Einstellung nicht oder diesen Wert noch nicht.</numerusform>
            <numerusform>%n Läufe fehlen hier: Sie haben diese Einstellung nicht oder diesen Wert noch nicht.</numerusform>
        </translation>
    </message>
    <message>
        <source>run %1</source>
        <translation>Lauf %1</translation>
    </message>
    <message>
        <source>runs %1</source>
        <translation>Läufe %1</translation>
    </message>
    <message>
        <source>Save picture…</source>
        <translation>Bild sichern …</translation>
    </message>
    <message>
        <source>Save picture</source>
        <translation>Bild sichern</translation>
    </message>
</context>
<context>
    <name>seedbed::ui::SceneGrid</name>
    <message>
        <source>Agents</source>
        <translation>Agenten</translation>
    </message>
    <message>
        <source>episode %1 · return %2</source>
        <translation>Episode %1 · Ertrag %2</translation>
    </message>
    <message>
        <source>step %1 · return %2</source>
        <translation>Schritt %1 · Ertrag %2</translation>
    </message>
    <message>
        <source>branch</source>
        <translation>Zweig</translation>
    </message>
    <message>
        <source>you</source>
        <translation>du</translation>
    </message>
    <message>
        <source>last game %1</source>
        <translation>letztes Spiel %1</translation>
    </message>
    <message>
        <source>return %1</source>
        <translation>Ertrag %1</translation>
    </message>
</context>
<context>
    <name>seedbed::ui::ScoreCard</name>
    <message>
        <source>Number of games</source>
        <translation>Zahl der Spiele</translation>
    </message>
    <message>
        <source> games</source>
        <translation> Spiele</translation>
    </message>
    <message>
        <source>Measure the score</source>
        <translation>Ergebnis messen</translation>
    </message>
    <message>
        <source>The games are being played</source>
        <translation>Die Spiele laufen</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Abbrechen</translation>
    </message>
    <message>
        <source>Copy as command</source>
        <translation>Als Befehl kopieren</translation>
    </message>
    <message>
        <source>The command was copied.</source>
        <translation>Der Befehl wurde kopiert.</translation>
    </message>
    <message>
        <source>Who is better over many games?</source>
        <translation>Wer ist über viele Spiele besser?</translation>
    </message>
    <message>
        <source>The games could not be played.</source>
        <translation>Die Spiele konnten nicht gespielt werden.</translation>
    </message>
    <message>
        <source>Playing %1…</source>
        <translation>%1 werden gespielt…</translation>
    </message>
    <message>
        <source>Play %1 times as many</source>
        <translation>%1-mal so viele spielen</translation>
    </message>
</context>
<context>
    <name>seedbed::ui::ScoreText</name>
    <message>
        <source>Solved at %1 steps</source>
        <translation>Gelöst bei %1 Schritten</translation>
    </message>
    <message>
        <source>Not solved yet: best %1, goal %2</source>
        <translation>Noch nicht gelöst: bestes %1, Ziel %2</translation>
    </message>
    <message>
        <source>Not solved yet: best %1 of %2</source>
        <translation>Noch nicht gelöst: bestes %1 von %2</translation>
    </message>
    <message>
        <source>Not solved in every run</source>
        <translation>Nicht in jedem Lauf gelöst</translation>
    </message>
    <message>
        <source>%1, return %2</source>
        <translation>%1, Ertrag %2</translation>
    </message>
    <message>
        <source>%1 (best; %2 in an earlier evaluation)</source>
        <translation>%1 (bester; %2 in einer früheren Auswertung)</translation>
    </message>
    <message>
        <source>%1 (best)</source>
        <translation>%1 (bester)</translation>
    </message>
</context>
<context>
    <name>seedbed::ui::SearchButton</name>
    <message>
        <source>Search actions, runs, settings</source>
        <translation>Aktionen, Läufe, Einstellungen suchen</translation>
    </message>
</context>
<context>
    <name>seedbed::ui::SettingList</name>
    <message>
        <source>Settings</source>
        <translation>Einstellungen</translation>
    </message>
    <message>
        <source>No setting matches.</source>
        <translation>Keine Einstellung passt.</translation>
    </message>
    <message>
        <source>Show all settings</source>
        <translation>Alle Einstellungen zeigen</translation>
    </message>
</context>
<context>
    <name>seedbed::ui::SettingRow</name>
    <message>
        <source>changed</source>
        <translation>geändert</translation>
    </message>
    <message>
        <source>Reset %1</source>
        <translation>%1 zurücksetzen</translation>
    </message>
    <message>
        <source>Reset to the preset's value</source>
        <translation>Auf den Wert der Voreinstellung zurücksetzen</translation>
    </message>
    <message>
        <source>Vary</source>
        <translation>Variieren</translation>
    </message>
    <message>
        <source>Vary %1</source>
        <translation>%1 variieren</translation>
    </message>
    <message>
        <source>Train with several values: one run per value</source>
        <translation>Mit mehreren Werten trainieren: ein Lauf je Wert</translation>
    </message>
    <message>
        <source>none</source>
        <translation>keine</translation>
    </message>
    <message>
        <source>preset: %1</source>
        <translation>Voreinstellung: %1</translation>
    </message>
    <message>
        <source>run %1: %2</source>
        <translation>Lauf %1: %2</translation>
    </message>
    <message>
        <source>default: %1</source>
        <translation>Standard: %1</translation>
    </message>
    <message>
        <source>allowed: %1</source>
        <translation>erlaubt: %1</translation>
    </message>
</context>
<context>
    <name>seedbed::ui::SideBar</name>
    <message>
        <source>Pages</source>
        <translation>Seiten</translation>
    </message>
    <message>
        <source>The run that trains</source>
        <translation>Der Lauf, der trainiert</translation>
    </message>
    <message>
        <source>%1 %</source>
        <translation>%1 %</translation>
    </message>
</context>
<context>
    <name>seedbed::ui::StartPage</name>
    <message>
        <source>Search this page</source>
        <translation>Diese Seite durchsuchen</translation>
    </message>
    <message>
        <source>Copy as command</source>
        <translation>Als Befehl kopieren</translation>
    </message>
    <message>
        <source>Reset setting</source>
        <translation>Einstellung zurücksetzen</translation>
    </message>
    <message>
        <source>Reset all settings</source>
        <translation>Alle Einstellungen zurücksetzen</translation>
    </message>
    <message>
        <source>Train with these settings</source>
        <translation>Mit den Einstellungen des Formulars trainieren</translation>
    </message>
    <message>
        <source>Back to the gallery</source>
        <translation>Zurück zur Galerie</translation>
    </message>
    <message numerus="yes">
        <source>%n run(s) queued behind other runs. Set how many train at a time on the queue page.</source>
        <translation>
            <numerusform>%n Lauf wartet in der Warteschlange: Andere trainieren schon. Auf der Seite „Warteschlange“ lässt du mehr gleichzeitig trainieren.</numerusform>
            <numerusform>%n Läufe warten in der Warteschlange: Andere trainieren schon. Auf der Seite „Warteschlange“ lässt du mehr gleichzeitig trainieren.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n run(s) queued</source>
        <translation>
            <numerusform>%n Lauf in die Warteschlange gestellt</numerusform>
            <numerusform>%n Läufe in die Warteschlange gestellt</numerusform>
        </translation>
    </message>
    <message>
        <source>Seed %1: </source>
        <translation>Seed %1: </translation>
    </message>
</context>
<context>
    <name>seedbed::ui::StopWhen</name>
    <message>
        <source>The game in focus pauses before the agent acts, at the first step where:</source>
        <translation>Das Spiel im Fokus hält an, bevor der Agent handelt, beim ersten Schritt mit:</translation>
    </message>
    <message>
        <source>What stops the game</source>
        <translation>Was das Spiel anhält</translation>
    </message>
    <message>
        <source>Comparison</source>
        <translation>Vergleich</translation>
    </message>
    <message>
        <source>Action</source>
        <translation>Aktion</translation>
    </message>
    <message>
        <source>Number</source>
        <translation>Zahl</translation>
    </message>
    <message>
        <source>Condition, for example value &lt; 0.2 and step &gt; 10</source>
        <translation>Bedingung, zum Beispiel value &lt; 0.2 and step &gt; 10</translation>
    </message>
    <message>
        <source>for example %1</source>
        <translation>zum Beispiel %1</translation>
    </message>
    <message>
        <source>Add</source>
        <translation>Hinzufügen</translation>
    </message>
    <message>
        <source>Add the condition</source>
        <translation>Bedingung hinzufügen</translation>
    </message>
    <message>
        <source>Value</source>
        <translation>Wert</translation>
    </message>
    <message>
        <source>Entropy</source>
        <translation>Entropie</translation>
    </message>
    <message>
        <source>Reward</source>
        <translation>Belohnung</translation>
    </message>
    <message>
        <source>Return</source>
        <translation>Ertrag</translation>
    </message>
    <message>
        <source>Step</source>
        <translation>Schritt</translation>
    </message>
    <message>
        <source>Episode</source>
        <translation>Episode</translation>
    </message>
    <message>
        <source>is</source>
        <translation>ist</translation>
    </message>
    <message>
        <source>is not</source>
        <translation>ist nicht</translation>
    </message>
    <message>
        <source>below</source>
        <translation>unter</translation>
    </message>
    <message>
        <source>above</source>
        <translation>über</translation>
    </message>
    <message>
        <source>equal to</source>
        <translation>gleich</translation>
    </message>
    <message>
        <source>Remove</source>
        <translation>Entfernen</translation>
    </message>
    <message>
        <source>Remove the condition %1</source>
        <translation>Bedingung %1 entfernen</translation>
    </message>
    <message>
        <source>The game ends</source>
        <translation>Das Spiel endet</translation>
    </message>
</context>
<context>
    <name>seedbed::ui::ThoughtStrip</name>
    <message>
        <source>What it thinks</source>
        <translation>Was er denkt</translation>
    </message>
    <message numerus="yes">
        <source>and %n more</source>
        <translation>
            <numerusform>und %n weitere</numerusform>
            <numerusform>und %n weitere</numerusform>
        </translation>
    </message>
    <message>
        <source>Value</source>
        <translation>Wert</translation>
    </message>
</context>
<context>
    <name>seedbed::ui::TimeCard</name>
    <message>
        <source>learning</source>
        <translation>das Lernen</translation>
    </message>
    <message>
        <source>the environments</source>
        <translation>die Umgebungen</translation>
    </message>
    <message>
        <source>choosing actions</source>
        <translation>die Wahl der Aktionen</translation>
    </message>
    <message>
        <source>waiting for other threads</source>
        <translation>das Warten auf andere Threads</translation>
    </message>
    <message>
        <source>Most of the time goes into %1.</source>
        <translation>Die meiste Zeit kostet %1.</translation>
    </message>
    <message>
        <source>The largest part goes into %1.</source>
        <translation>Den größten Teil kostet %1.</translation>
    </message>
    <message>
        <source>Where the time goes</source>
        <translation>Wohin die Zeit geht</translation>
    </message>
    <message>
        <source>Measured with the first updates.</source>
        <translation>Wird mit den ersten Updates gemessen.</translation>
    </message>
</context>
<context>
    <name>seedbed::ui::TimeLine</name>
    <message>
        <source>Timeline of the focused agent</source>
        <translation>Zeitleiste des betrachteten Agenten</translation>
    </message>
    <message>
        <source>value</source>
        <translation>Wert</translation>
    </message>
    <message>
        <source>reward</source>
        <translation>Belohnung</translation>
    </message>
    <message>
        <source>Step %1</source>
        <translation>Schritt %1</translation>
    </message>
    <message>
        <source>Action: %1</source>
        <translation>Aktion: %1</translation>
    </message>
    <message>
        <source>Value: %1</source>
        <translation>Wert: %1</translation>
    </message>
    <message>
        <source>Reward: %1</source>
        <translation>Belohnung: %1</translation>
    </message>
    <message>
        <source>Return so far: %1</source>
        <translation>Ertrag bisher: %1</translation>
    </message>
    <message>
        <source>Episode: %1</source>
        <translation>Episode: %1</translation>
    </message>
    <message>
        <source>your actions</source>
        <translation>deine Aktionen</translation>
    </message>
    <message>
        <source>game over, return</source>
        <translation>Spiel zu Ende, Return</translation>
    </message>
</context>
<context>
    <name>seedbed::ui::Toast</name>
    <message>
        <source>Undo</source>
        <translation>Rückgängig</translation>
    </message>
</context>
<context>
    <name>seedbed::ui::TraceModel</name>
    <message>
        <source>ended</source>
        <translation>zu Ende</translation>
    </message>
    <message>
        <source>cut off by the time limit</source>
        <translation>durch die Zeitgrenze abgebrochen</translation>
    </message>
    <message>
        <source>Agent %1: </source>
        <translation>Agent %1: </translation>
    </message>
    <message>
        <source>Episode %1, return %2</source>
        <translation>Episode %1, Ertrag %2</translation>
    </message>
    <message>
        <source>Step %1, return %2</source>
        <translation>Schritt %1, Ertrag %2</translation>
    </message>
    <message>
        <source>, action %1</source>
        <translation>, Aktion %1</translation>
    </message>
    <message>
        <source>, value %1</source>
        <translation>, Wert %1</translation>
    </message>
    <message>
        <source>; last episode: return %1</source>
        <translation>; letzte Episode: Ertrag %1</translation>
    </message>
    <message>
        <source>none: final state</source>
        <translation>keine: Endzustand</translation>
    </message>
    <message>
        <source>Row</source>
        <translation>Zeile</translation>
    </message>
    <message>
        <source>Step</source>
        <translation>Schritt</translation>
    </message>
    <message>
        <source>Action</source>
        <translation>Aktion</translation>
    </message>
    <message>
        <source>Value</source>
        <translation>Wert</translation>
    </message>
    <message>
        <source>Reward</source>
        <translation>Belohnung</translation>
    </message>
    <message>
        <source>Return so far</source>
        <translation>Ertrag bisher</translation>
    </message>
    <message>
        <source>Episode</source>
        <translation>Episode</translation>
    </message>
    <message>
        <source>P(%1)</source>
        <translation>P(%1)</translation>
    </message>
    <message>
        <source>Mean %1</source>
        <translation>Mittel %1</translation>
    </message>
    <message>
        <source>σ %1</source>
        <translation>σ %1</translation>
    </message>
    <message>
        <source>, your action %1</source>
        <translation>, deine Aktion %1</translation>
    </message>
    <message>
        <source>%1 (yours)</source>
        <translation>%1 (deine)</translation>
    </message>
</context>
<context>
    <name>seedbed::ui::TrainAndWatch</name>
    <message>
        <source>The run is queued behind other runs. Set how many train at a time on the queue page.</source>
        <translation>Der Lauf wartet hinter anderen Läufen. Die Seite Warteschlange legt fest, wie viele gleichzeitig trainieren.</translation>
    </message>
    <message>
        <source>The run is queued but paused. Resume it on the queue page.</source>
        <translation>Der Lauf ist eingereiht, aber angehalten. Auf der Warteschlangenseite wird er fortgesetzt.</translation>
    </message>
</context>
<context>
    <name>seedbed::ui::TrainLeagueDialog</name>
    <message>
        <source>&amp;Exploiters look for the weaknesses of each main agent</source>
        <translation>&amp;Ausnutzer suchen die Schwächen jedes Hauptagenten</translation>
    </message>
    <message>
        <source>Train agents for “%1”</source>
        <translation>Agenten für „%1“ trainieren</translation>
    </message>
    <message>
        <source>In each generation, a main agent continues from the one before it and plays against the members that this one beat least. All agents join the league. Training continues when the window is closed.</source>
        <translation>In jeder Generation macht ein Hauptagent dort weiter, wo der vorige aufgehört hat, und spielt gegen die Mitglieder, die dieser am wenigsten besiegt hat. Alle Agenten treten der Liga bei. Das Training geht weiter, wenn das Fenster geschlossen wird.</translation>
    </message>
    <message>
        <source>Preset</source>
        <translation>Voreinstellung</translation>
    </message>
    <message>
        <source>&amp;Preset</source>
        <translation>&amp;Voreinstellung</translation>
    </message>
    <message>
        <source>Steps of each agent</source>
        <translation>Schritte je Agent</translation>
    </message>
    <message>
        <source>&amp;Steps of each agent</source>
        <translation>&amp;Schritte je Agent</translation>
    </message>
    <message>
        <source>Generations</source>
        <translation>Generationen</translation>
    </message>
    <message>
        <source>Including those that have joined before.</source>
        <translation>Einschließlich derer, die schon beigetreten sind.</translation>
    </message>
    <message>
        <source>&amp;Generations</source>
        <translation>&amp;Generationen</translation>
    </message>
    <message>
        <source>An exploiter plays only against the newest main agent. Its score shows how far this agent can be exploited, and the next main agent learns from it.</source>
        <translation>Ein Ausnutzer spielt nur gegen den neuesten Hauptagenten. Sein Ergebnis zeigt, wie sehr sich dieser ausnutzen lässt, und der nächste Hauptagent lernt daraus.</translation>
    </message>
    <message>
        <source>Train the league</source>
        <translation>Liga trainieren</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Abbrechen</translation>
    </message>
    <message numerus="yes">
        <source>%n agent(s) in all.</source>
        <translation>
            <numerusform>%n Agent insgesamt.</numerusform>
            <numerusform>%n Agenten insgesamt.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n agent(s) in all, each about %1 on this computer.</source>
        <translation>
            <numerusform>%n Agent insgesamt, etwa %1 auf diesem Computer.</numerusform>
            <numerusform>%n Agenten insgesamt, jeder etwa %1 auf diesem Computer.</numerusform>
        </translation>
    </message>
    <message>
        <source>There is no preset for this game.</source>
        <translation>Für dieses Spiel gibt es keine Voreinstellung.</translation>
    </message>
</context>
<context>
    <name>seedbed::ui::ValueList</name>
    <message>
        <source>Add a value of %1</source>
        <translation>Wert hinzufügen: %1</translation>
    </message>
    <message>
        <source>Add a value</source>
        <translation>Wert hinzufügen</translation>
    </message>
    <message>
        <source>Return adds the value; Backspace in the empty field removes the last one</source>
        <translation>Die Eingabetaste fügt den Wert hinzu; die Rücktaste im leeren Feld entfernt den letzten</translation>
    </message>
    <message>
        <source>%1 %2, selected</source>
        <translation>%1 %2, gewählt</translation>
    </message>
    <message>
        <source>%1 %2</source>
        <translation>%1 %2</translation>
    </message>
    <message>
        <source>Remove this value</source>
        <translation>Diesen Wert entfernen</translation>
    </message>
    <message>
        <source>Also train with this value</source>
        <translation>Auch mit diesem Wert trainieren</translation>
    </message>
    <message>
        <source>%1: texts with spaces or “=” cannot be varied</source>
        <translation>%1: Texte mit Leerzeichen oder „=“ lassen sich nicht variieren</translation>
    </message>
</context>
<context>
    <name>seedbed::ui::VerdictStrip</name>
    <message>
        <source>Verdict</source>
        <translation>Urteil</translation>
    </message>
    <message>
        <source>Explain</source>
        <translation>Erklären</translation>
    </message>
    <message numerus="yes">
        <source>Queue %n run(s)</source>
        <translation>
            <numerusform>%n Lauf einreihen</numerusform>
            <numerusform>%n Läufe einreihen</numerusform>
        </translation>
    </message>
    <message>
        <source>More seeds: %1 of the first setting, %2 of the second</source>
        <translation>Weitere Seeds: %1 der ersten Einstellung, %2 der zweiten</translation>
    </message>
    <message>
        <source>More seeds of the setting that has too few</source>
        <translation>Weitere Seeds der Einstellung, die zu wenige hat</translation>
    </message>
    <message>
        <source>Duel</source>
        <translation>Duell</translation>
    </message>
    <message>
        <source>Duel these two</source>
        <translation>Duell dieser beiden</translation>
    </message>
    <message>
        <source>Watch the best run of each play the same episode, up to the first different decision</source>
        <translation>Den besten Lauf von beiden dieselbe Episode spielen sehen, bis zur ersten verschiedenen Entscheidung</translation>
    </message>
    <message>
        <source>Explain what the verdict is computed from, how, and its limits</source>
        <translation>Erklären, woraus und wie das Urteil berechnet wird und wo seine Grenzen liegen</translation>
    </message>
</context>
<context>
    <name>seedbed::ui::VersionsView</name>
    <message>
        <source>Ratings of the versions of a run over its steps</source>
        <translation>Wertungen der Versionen eines Laufs über seine Schritte</translation>
    </message>
    <message>
        <source>step %1</source>
        <translation>Schritt %1</translation>
    </message>
    <message>
        <source>%1 at step %2: rating %3 [%4, %5]</source>
        <translation>%1 bei Schritt %2: Wertung %3 [%4, %5]</translation>
    </message>
    <message>
        <source>Rating of %1 over its steps</source>
        <translation>Wertung von %1 über seine Schritte</translation>
    </message>
</context>
<context>
    <name>seedbed::ui::WatchPage</name>
    <message>
        <source>Decisions of the focused agent, newest first</source>
        <translation>Entscheidungen des betrachteten Agenten, neueste zuerst</translation>
    </message>
    <message>
        <source>Run</source>
        <translation>Lauf</translation>
    </message>
    <message>
        <source>Weights</source>
        <translation>Gewichte</translation>
    </message>
    <message>
        <source>New games or a stored evaluation episode</source>
        <translation>Neue Spiele oder eine aufgehobene Auswertungsepisode</translation>
    </message>
    <message>
        <source>New games</source>
        <translation>Neue Spiele</translation>
    </message>
    <message>
        <source>Replay: best</source>
        <translation>Aufzeichnung: beste</translation>
    </message>
    <message>
        <source>Replay: median</source>
        <translation>Aufzeichnung: mittlere</translation>
    </message>
    <message>
        <source>Replay: worst</source>
        <translation>Aufzeichnung: schlechteste</translation>
    </message>
    <message>
        <source>Number of agents</source>
        <translation>Zahl der Agenten</translation>
    </message>
    <message numerus="yes">
        <source>%n agent(s)</source>
        <translation>
            <numerusform>%n Agent</numerusform>
            <numerusform>%n Agenten</numerusform>
        </translation>
    </message>
    <message>
        <source>Action selection</source>
        <translation>Wie Aktionen gewählt werden</translation>
    </message>
    <message>
        <source>Greedy</source>
        <translation>Greedy</translation>
    </message>
    <message>
        <source>Sampled</source>
        <translation>Gezogen</translation>
    </message>
    <message>
        <source>Agent whose decisions are shown</source>
        <translation>Agent, dessen Gedanken gezeigt werden</translation>
    </message>
    <message>
        <source>Restart</source>
        <translation>Neu starten</translation>
    </message>
    <message>
        <source>Pause or resume</source>
        <translation>Anhalten oder weiter</translation>
    </message>
    <message>
        <source>One step back</source>
        <translation>Einen Schritt zurück</translation>
    </message>
    <message>
        <source>One step forward</source>
        <translation>Einen Schritt vor</translation>
    </message>
    <message>
        <source>Play slower</source>
        <translation>Langsamer abspielen</translation>
    </message>
    <message>
        <source>Play faster</source>
        <translation>Schneller abspielen</translation>
    </message>
    <message>
        <source>Switch between greedy and sampled actions</source>
        <translation>Zwischen Greedy- und gezogenen Aktionen wechseln</translation>
    </message>
    <message>
        <source>Next agent</source>
        <translation>Nächster Agent</translation>
    </message>
    <message>
        <source>Open a recorded game…</source>
        <translation>Aufgezeichnetes Spiel öffnen …</translation>
    </message>
    <message>
        <source>Open…</source>
        <translation>Öffnen …</translation>
    </message>
    <message>
        <source>Show only the focused agent</source>
        <translation>Nur der betrachtete Agent</translation>
    </message>
    <message>
        <source>Focus</source>
        <translation>Nur dieser</translation>
    </message>
    <message>
        <source>Table</source>
        <translation>Tabelle</translation>
    </message>
    <message>
        <source>Start new games</source>
        <translation>Neue Spiele beginnen</translation>
    </message>
    <message>
        <source>Speed</source>
        <translation>Tempo</translation>
    </message>
    <message>
        <source>no limit</source>
        <translation>keine Grenze</translation>
    </message>
    <message>
        <source>There is nothing to watch yet. Train an agent on the start page; you can watch it while it learns.</source>
        <translation>Noch gibt es nichts zu sehen. Trainiere auf der Startseite einen Agenten; du kannst ihm beim Lernen zusehen.</translation>
    </message>
    <message>
        <source>Newest weights (live)</source>
        <translation>Neueste Gewichte (laufend)</translation>
    </message>
    <message>
        <source>Newest weights</source>
        <translation>Neueste Gewichte</translation>
    </message>
    <message>
        <source>there is no checkpoint at step %1; showing the nearest one, step %2</source>
        <translation>von Schritt %1 ist kein Speicherstand aufgehoben; dies ist der nächste, von Schritt %2</translation>
    </message>
    <message>
        <source>Recorded games (*.replay *.bin)</source>
        <translation>Aufgezeichnete Spiele (*.replay *.bin)</translation>
    </message>
    <message>
        <source>All files (*)</source>
        <translation>Alle Dateien (*)</translation>
    </message>
    <message>
        <source>Open a recorded game</source>
        <translation>Aufgezeichnetes Spiel öffnen</translation>
    </message>
    <message>
        <source>File: %1</source>
        <translation>Datei: %1</translation>
    </message>
    <message>
        <source>Starting the player…</source>
        <translation>Das Abspielen startet …</translation>
    </message>
    <message>
        <source>No game is playing.</source>
        <translation>Nichts wird gespielt.</translation>
    </message>
    <message>
        <source>as recorded</source>
        <translation>wie aufgezeichnet</translation>
    </message>
    <message>
        <source>weights from step %1 (live)</source>
        <translation>Gewichte von Schritt %1, laufend erneuert</translation>
    </message>
    <message>
        <source>weights from step %1</source>
        <translation>Gewichte von Schritt %1</translation>
    </message>
    <message>
        <source>episode finished</source>
        <translation>die Episode ist vorbei</translation>
    </message>
    <message>
        <source>seed %1</source>
        <translation>Seed %1</translation>
    </message>
    <message>
        <source>Run %1</source>
        <translation>Lauf %1</translation>
    </message>
    <message>
        <source>the checkpoints cannot be read: %1</source>
        <translation>die Speicherstände können nicht gelesen werden: %1</translation>
    </message>
    <message>
        <source>no checkpoint is stored; showing the newest weights instead of step %1</source>
        <translation>kein Speicherstand ist vorhanden; statt derer von Schritt %1 spielen die neuesten Gewichte</translation>
    </message>
    <message>
        <source>What the focused agent sees, would do and remembers</source>
        <translation>Was der betrachtete Agent sieht, tun würde und sich merkt</translation>
    </message>
    <message>
        <source>Inspect the focused agent</source>
        <translation>Betrachteten Agenten untersuchen</translation>
    </message>
    <message>
        <source>Inspect</source>
        <translation>Untersuchen</translation>
    </message>
    <message>
        <source>Enlarge the pictures</source>
        <translation>Bilder vergrößern</translation>
    </message>
    <message>
        <source>Reduce the pictures</source>
        <translation>Bilder verkleinern</translation>
    </message>
    <message>
        <source>Show all pictures</source>
        <translation>Alle Bilder zeigen</translation>
    </message>
    <message>
        <source>Timeline and inspector as tables</source>
        <translation>Zeitleiste und Inspektor als Tabellen</translation>
    </message>
    <message>
        <source>Take over the focused agent</source>
        <translation>Den Agenten im Fokus übernehmen</translation>
    </message>
    <message>
        <source>Take over</source>
        <translation>Übernehmen</translation>
    </message>
    <message>
        <source>Stop the game at a condition</source>
        <translation>Das Spiel bei einer Bedingung anhalten</translation>
    </message>
    <message>
        <source>Stop when</source>
        <translation>Anhalten, wenn</translation>
    </message>
    <message>
        <source>Branch the game at this step</source>
        <translation>Das Spiel bei diesem Schritt verzweigen</translation>
    </message>
    <message>
        <source>Branch here</source>
        <translation>Hier verzweigen</translation>
    </message>
    <message>
        <source>Save the last 30 seconds</source>
        <translation>Die letzten 30 Sekunden speichern</translation>
    </message>
    <message>
        <source>Save last 30 s…</source>
        <translation>Letzte 30 s speichern…</translation>
    </message>
    <message>
        <source>Set this agent against another player</source>
        <translation>Diesen Agenten gegen einen anderen Spieler antreten lassen</translation>
    </message>
    <message>
        <source>Duel…</source>
        <translation>Duell…</translation>
    </message>
    <message>
        <source>Seat %1</source>
        <translation>Platz %1</translation>
    </message>
    <message>
        <source>next: %1</source>
        <translation>nächste Aktion: %1</translation>
    </message>
    <message>
        <source>Close the branch in focus</source>
        <translation>Den ausgewählten Zweig schließen</translation>
    </message>
    <message>
        <source>%1 · imported</source>
        <translation>%1 · importiert</translation>
    </message>
    <message>
        <source>Imported weights</source>
        <translation>Importierte Gewichte</translation>
    </message>
    <message>
        <source>Close branch</source>
        <translation>Zweig schließen</translation>
    </message>
    <message numerus="yes">
        <source>%n step(s) back</source>
        <translation>
            <numerusform>%n Schritt zurück</numerusform>
            <numerusform>%n Schritte zurück</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 + %n branch(es)</source>
        <translation>
            <numerusform>%1 + %n Zweig</numerusform>
            <numerusform>%1 + %n Zweige</numerusform>
        </translation>
    </message>
    <message>
        <source>sticky actions: %1 %</source>
        <translation>klebrige Aktionen: %1 %</translation>
    </message>
    <message>
        <source>Sticky actions: the environment repeats the last action in %1 % of the steps.</source>
        <translation>Klebrige Aktionen: Die Umgebung wiederholt in %1 % der Schritte die letzte Aktion.</translation>
    </message>
    <message>
        <source>Step %1</source>
        <translation>Schritt %1</translation>
    </message>
    <message>
        <source>Step %1 (deleted)</source>
        <translation>Schritt %1 (gelöscht)</translation>
    </message>
    <message>
        <source>Watch</source>
        <translation>Zuschauen</translation>
    </message>
    <message>
        <source>Train an agent</source>
        <translation>Agenten trainieren</translation>
    </message>
</context>
<context>
    <name>seedbed::ui::WatchVerbs</name>
    <message>
        <source>saved %1</source>
        <translation>%1 gespeichert</translation>
    </message>
    <message>
        <source>Save the last 30 seconds</source>
        <translation>Die letzten 30 Sekunden speichern</translation>
    </message>
    <message>
        <source>Animated picture (*.gif)</source>
        <translation>Bewegtes Bild (*.gif)</translation>
    </message>
    <message>
        <source>Film (*.mp4)</source>
        <translation>Film (*.mp4)</translation>
    </message>
    <message>
        <source>Finished episodes, exactly repeatable (*.replay)</source>
        <translation>Beendete Episoden, exakt wiederholbar (*.replay)</translation>
    </message>
    <message>
        <source>saving…</source>
        <translation>wird gespeichert…</translation>
    </message>
    <message>
        <source>Stopped: %1</source>
        <translation>Angehalten: %1</translation>
    </message>
    <message>
        <source>Stopped: the game is over</source>
        <translation>Angehalten: das Spiel ist zu Ende</translation>
    </message>
    <message>
        <source>the game stops when: %1</source>
        <translation>das Spiel hält an, wenn: %1</translation>
    </message>
    <message>
        <source>a branch continues from here; take over to change its future</source>
        <translation>hier beginnt ein Zweig; übernimm ihn, um seine Zukunft zu ändern</translation>
    </message>
</context>
</TS>
