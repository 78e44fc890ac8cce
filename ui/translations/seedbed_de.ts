<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="de">
<context>
    <name>FileDialog</name>
    <message>
        <source>Folder</source>
        <translation>Ordner</translation>
    </message>
    <message>
        <source>Name of the file</source>
        <translation>Name der Datei</translation>
    </message>
    <message>
        <source>Kind of file</source>
        <translation>Art der Datei</translation>
    </message>
    <message>
        <source>Files</source>
        <translation>Dateien</translation>
    </message>
    <message>
        <source>Files with details</source>
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
        <source>Agents that play</source>
        <translation>Agenten, die spielen</translation>
    </message>
    <message>
        <source>Form of a run</source>
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
        <source>Stretch or compress the values</source>
        <translation>Die Werte strecken oder stauchen</translation>
    </message>
    <message>
        <source>Move the stretch that is shown, or the crosshair with Ctrl</source>
        <translation>Den gezeigten Abschnitt verschieben, mit Strg das Fadenkreuz</translation>
    </message>
    <message>
        <source>Watch the agent of this moment: the menu of the point at the crosshair</source>
        <translation>Dem Agenten dieses Augenblicks zusehen: das Menü des Punkts am Fadenkreuz</translation>
    </message>
    <message>
        <source>The agent before or after</source>
        <translation>Der Agent davor oder danach</translation>
    </message>
    <message>
        <source>The first or the last agent</source>
        <translation>Der erste oder der letzte Agent</translation>
    </message>
    <message>
        <source>Only the agent in focus</source>
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
        <source>Zoom with the wheel; without Ctrl where the chart has the focus</source>
        <translation>Mit dem Mausrad vergrößern; ohne Strg, wo das Diagramm den Fokus hat</translation>
    </message>
    <message>
        <source>Ctrl+Wheel</source>
        <translation>Strg+Mausrad</translation>
    </message>
    <message>
        <source>Move the stretch that is shown with the wheel</source>
        <translation>Den gezeigten Abschnitt mit dem Mausrad verschieben</translation>
    </message>
    <message>
        <source>Shift+Wheel</source>
        <translation>Umschalt+Mausrad</translation>
    </message>
    <message>
        <source>Show everything; so does a double click</source>
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
    <name>Page</name>
    <message>
        <source>Runs and &amp;comparison</source>
        <translation>Läufe und Ve&amp;rgleich</translation>
    </message>
    <message>
        <source>&amp;Run</source>
        <translation>&amp;Lauf</translation>
    </message>
    <message>
        <source>&amp;Export a policy</source>
        <translation>Strategie &amp;exportieren</translation>
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
        <source>This window is free software under the GNU General Public License, version 3 or later; the libraries and the program “seedbed” under the Apache License 2.0. There is no warranty. It opens no network connection, has no account and sends nothing.</source>
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
</context>
<context>
    <name>main</name>
    <message>
        <source>The window of Seedbed: train, watch and compare agents.</source>
        <translation>Das Fenster von Seedbed: Agenten trainieren, ihnen zusehen und sie vergleichen.</translation>
    </message>
    <message>
        <source>Data folder, instead of the one in the XDG data folder.</source>
        <translation>Datenordner anstelle dessen im XDG-Datenordner.</translation>
    </message>
    <message>
        <source>Ignore and keep unchanged what the window remembers.</source>
        <translation>Was das Fenster sich gemerkt hat, nicht beachten und nicht ändern.</translation>
    </message>
</context>
<context>
    <name>seedbed::ui::Attendant</name>
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
        <source>The queue is done</source>
        <translation>Die Warteschlange ist abgearbeitet</translation>
    </message>
    <message numerus="yes">
        <source>%n run(s) train</source>
        <translation>
            <numerusform>%n Lauf trainiert</numerusform>
            <numerusform>%n Läufe trainieren</numerusform>
        </translation>
    </message>
    <message>
        <source>%1 % · %2</source>
        <translation>%1 % · %2</translation>
    </message>
    <message>
        <source>%1 (%2) was interrupted at step %3. What it had learned until its last checkpoint is saved, and it can go on from there.</source>
        <translation>%1 (%2) wurde bei Schritt %3 unterbrochen. Was der Lauf bis zum letzten Speicherstand gelernt hat, ist gesichert; von dort kann er weitergehen.</translation>
    </message>
    <message numerus="yes">
        <source>%n run(s) were interrupted. What they had learned until their last checkpoints is saved, and they can go on from there.</source>
        <translation>
            <numerusform>%n Lauf wurde unterbrochen. Was er bis zum letzten Speicherstand gelernt hat, ist gesichert; von dort kann er weitergehen.</numerusform>
            <numerusform>%n Läufe wurden unterbrochen. Was sie bis zu ihren letzten Speicherständen gelernt haben, ist gesichert; von dort können sie weitergehen.</numerusform>
        </translation>
    </message>
    <message>
        <source>Go on</source>
        <translation>Weitermachen</translation>
    </message>
</context>
<context>
    <name>seedbed::ui::BarStack</name>
    <message numerus="yes">
        <source>%n older message(s) behind these</source>
        <translation>
            <numerusform>%n ältere Meldung dahinter</numerusform>
            <numerusform>%n ältere Meldungen dahinter</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>seedbed::ui::BottleneckStrip</name>
    <message>
        <source>env</source>
        <translation>Umgebung</translation>
    </message>
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
        <source>Where the time goes is not measured yet</source>
        <translation>Wohin die Zeit geht, ist noch nicht gemessen</translation>
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
        <source>The run is being read…</source>
        <translation>Der Lauf wird gelesen …</translation>
    </message>
    <message>
        <source>No values yet: the first ones come with the first update.</source>
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
        <source>checkpoint of step %1</source>
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
        <source>Episode length</source>
        <translation>Länge der Episoden</translation>
    </message>
    <message>
        <source>Losses</source>
        <translation>Verluste</translation>
    </message>
    <message>
        <source>Entropy</source>
        <translation>Entropie</translation>
    </message>
    <message>
        <source>KL divergence per update</source>
        <translation>KL-Divergenz je Lernschritt</translation>
    </message>
    <message>
        <source>Explained variance of the value</source>
        <translation>Erklärte Varianz des Werts</translation>
    </message>
    <message>
        <source>Lag of the policy</source>
        <translation>Rückstand der Strategie</translation>
    </message>
    <message>
        <source>Learning rate</source>
        <translation>Lernrate</translation>
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
        <source>Bring back the usual charts</source>
        <translation>Die üblichen Diagramme zurückholen</translation>
    </message>
    <message>
        <source>Speed between evaluations (steps/s)</source>
        <translation>Tempo zwischen Auswertungen (Schritte/s)</translation>
    </message>
    <message>
        <source>run %1</source>
        <translation>Lauf %1</translation>
    </message>
    <message>
        <source>seed %1</source>
        <translation>Seed %1</translation>
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
        <source>EMA, by distance</source>
        <translation>EMA, nach Abstand</translation>
    </message>
    <message>
        <source>EMA, as TensorBoard</source>
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
        <source>Smoothing uses all points, whatever is zoomed to; the raw line stays behind it</source>
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
        <source>Least x of the points that take part</source>
        <translation>Kleinstes x der Punkte, die mitzählen</translation>
    </message>
    <message>
        <source>t&amp;o</source>
        <translation>b&amp;is</translation>
    </message>
    <message>
        <source>Greatest x of the points that take part</source>
        <translation>Größtes x der Punkte, die mitzählen</translation>
    </message>
    <message>
        <source>Two numbers, the lesser one first, such as 20k and 1.5M; with these, all stays as it was.</source>
        <translation>Zwei Zahlen, die kleinere zuerst, etwa 20k und 1.5M; mit diesen bleibt alles, wie es war.</translation>
    </message>
    <message>
        <source>Only points within these values of the x axis take part: in curves, smoothing, bands, tables and files. Zooming does not do that. Numbers such as 20k, 1.5M or 1e6; on axes of time also 90 s, 5 min, 2 h.</source>
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
        <source>EMA as TensorBoard, weight %1</source>
        <translation>EMA wie TensorBoard, Gewicht %1</translation>
    </message>
    <message>
        <source>EMA by distance, %1 %2</source>
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
        <source>Lines: interquartile mean of the runs for n of 4 or more, else their mean.</source>
        <translation>Linien: Interquartilmittel der Läufe ab n = 4, sonst ihr Mittel.</translation>
    </message>
    <message>
        <source>Bands: 95 % bootstrap interval over the runs.</source>
        <translation>Bänder: 95-%-Bootstrap-Intervall über die Läufe.</translation>
    </message>
    <message>
        <source>Smoothed (%1); faint lines are not.</source>
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
        <source>went up and down and is back at</source>
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
        <source>A band over %n run(s) is too narrow: it holds the true centre about %1 times in 100, not 95.</source>
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
        <source>Nothing chosen</source>
        <translation>Nichts ausgewählt</translation>
    </message>
    <message>
        <source>All values are not numbers (NaN)</source>
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
        <source>Watch the agent of this moment</source>
        <translation>Dem Agenten dieses Augenblicks zusehen</translation>
    </message>
    <message>
        <source>Show this run</source>
        <translation>Diesen Lauf zeigen</translation>
    </message>
    <message>
        <source>Watch the agent of this moment (no checkpoint was kept)</source>
        <translation>Dem Agenten dieses Augenblicks zusehen (kein Speicherstand aufgehoben)</translation>
    </message>
    <message>
        <source>Watch the agent of this moment (checkpoint of step %1)</source>
        <translation>Dem Agenten dieses Augenblicks zusehen (Speicherstand von Schritt %1)</translation>
    </message>
    <message>
        <source>A logarithmic axis has no place for these values: none is above zero</source>
        <translation>Eine logarithmische Achse hat für diese Werte keinen Platz: Keiner liegt über null</translation>
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
</context>
<context>
    <name>seedbed::ui::CommandPalette</name>
    <message>
        <source>Command palette</source>
        <translation>Befehle</translation>
    </message>
    <message>
        <source>Type what you want to do, a run or a setting</source>
        <translation>Tippe, was du tun willst, einen Lauf oder eine Einstellung</translation>
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
        <source>Bin</source>
        <translation>Papierkorb</translation>
    </message>
    <message>
        <source>Which runs</source>
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
        <source>Save table</source>
        <translation>Tabelle speichern</translation>
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
        <source>Comparison as CSV…</source>
        <translation>Vergleich als CSV …</translation>
    </message>
    <message>
        <source>Comparison as Markdown…</source>
        <translation>Vergleich als Markdown …</translation>
    </message>
    <message>
        <source>Comparison</source>
        <translation>Vergleich</translation>
    </message>
    <message>
        <source>Metric</source>
        <translation>Größe</translation>
    </message>
    <message>
        <source>Group seeds</source>
        <translation>Seeds gruppieren</translation>
    </message>
    <message>
        <source>Each run by itself</source>
        <translation>Jeder Lauf für sich</translation>
    </message>
    <message>
        <source>Grouping</source>
        <translation>Gruppierung</translation>
    </message>
    <message>
        <source>Overlay</source>
        <translation>Überlagerung</translation>
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
        <source>Show run</source>
        <translation>Lauf zeigen</translation>
    </message>
    <message>
        <source>Watch run</source>
        <translation>Lauf zusehen</translation>
    </message>
    <message>
        <source>Export policy</source>
        <translation>Strategie exportieren</translation>
    </message>
    <message>
        <source>Star, or take the star away</source>
        <translation>Stern geben oder nehmen</translation>
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
        <source>Archive, or take out of the archive</source>
        <translation>Ins Archiv oder aus dem Archiv</translation>
    </message>
    <message>
        <source>Move to the bin, or take out of it</source>
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
    <message>
        <source>; the first %1 are compared</source>
        <translation>; die ersten %1 werden verglichen</translation>
    </message>
    <message>
        <source>There are no runs yet.</source>
        <translation>Es gibt noch keine Läufe.</translation>
    </message>
    <message>
        <source>run %1</source>
        <translation>Lauf %1</translation>
    </message>
    <message numerus="yes">
        <source>%n run(s) that are going were left; stop them first.</source>
        <translation>
            <numerusform>%n laufender Lauf blieb, wo er ist; stoppe ihn zuerst.</numerusform>
            <numerusform>%n laufende Läufe blieben, wo sie sind; stoppe sie zuerst.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n run(s) moved to the bin; Undo brings them back.</source>
        <translation>
            <numerusform>%n Lauf liegt im Papierkorb; Rückgängig holt ihn zurück.</numerusform>
            <numerusform>%n Läufe liegen im Papierkorb; Rückgängig holt sie zurück.</numerusform>
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
    <message numerus="yes">
        <source>%n run(s) were queued.</source>
        <translation>
            <numerusform>%n Lauf steht in der Warteschlange.</numerusform>
            <numerusform>%n Läufe stehen in der Warteschlange.</numerusform>
        </translation>
    </message>
    <message>
        <source>Saved %1</source>
        <translation>%1 gespeichert</translation>
    </message>
    <message>
        <source>Metr&amp;ic</source>
        <translation>Met&amp;rik</translation>
    </message>
    <message numerus="yes">
        <source> (%n of them hidden by the filter)</source>
        <translation>
            <numerusform> (%n davon vom Filter verborgen)</numerusform>
            <numerusform> (%n davon vom Filter verborgen)</numerusform>
        </translation>
    </message>
    <message>
        <source>%1 resumed %2</source>
        <translation>%1 fortgesetzt %2</translation>
    </message>
    <message numerus="yes">
        <source>%n run(s) archived; Undo brings them back.</source>
        <translation>
            <numerusform>%n Lauf archiviert; Rückgängig holt ihn zurück.</numerusform>
            <numerusform>%n Läufe archiviert; Rückgängig holt sie zurück.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n run(s) taken out of the archive.</source>
        <translation>
            <numerusform>%n Lauf aus dem Archiv geholt.</numerusform>
            <numerusform>%n Läufe aus dem Archiv geholt.</numerusform>
        </translation>
    </message>
    <message>
        <source>No runs are compared: select some in the table first.</source>
        <translation>Es werden keine Läufe verglichen: zuerst welche in der Tabelle auswählen.</translation>
    </message>
    <message>
        <source>'%1' cannot be written</source>
        <translation>„%1“ kann nicht geschrieben werden</translation>
    </message>
    <message>
        <source>No run matches the filter. </source>
        <translation>Kein Lauf passt zum Filter. </translation>
    </message>
</context>
<context>
    <name>seedbed::ui::ConfigForm</name>
    <message>
        <source>Run: when it ends, what it runs on</source>
        <translation>Lauf: wann er endet, worauf er läuft</translation>
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
        <source>Actors: how environments are stepped</source>
        <translation>Akteure: wie Umgebungen ausgeführt werden</translation>
    </message>
    <message>
        <source>Inference: how actions are computed</source>
        <translation>Inferenz: wie Aktionen berechnet werden</translation>
    </message>
    <message>
        <source>Learner: how updates are cut</source>
        <translation>Lerner: wie Lernschritte geteilt werden</translation>
    </message>
    <message>
        <source>Evaluation while it trains</source>
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
        <source>“%1” is neither true nor false</source>
        <translation>„%1“ ist weder true noch false</translation>
    </message>
    <message>
        <source>“%1” is not among: %2</source>
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
--%2; erlaubt: %3; Vorgabe: %4; Voreinstellung: %5</translation>
    </message>
    <message>
        <source>anything</source>
        <translation>alles</translation>
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
        <source>Unit</source>
        <translation>Einheit</translation>
    </message>
    <message>
        <source>Default</source>
        <translation>Vorgabe</translation>
    </message>
    <message>
        <source>What it is</source>
        <translation>Was es ist</translation>
    </message>
</context>
<context>
    <name>seedbed::ui::CustomizeView</name>
    <message>
        <source>Settings</source>
        <translation>Einstellungen</translation>
    </message>
    <message>
        <source>Reset field</source>
        <translation>Feld zurücksetzen</translation>
    </message>
    <message>
        <source>Reset the chosen setting to the preset's value</source>
        <translation>Die gewählte Einstellung auf den Wert der Voreinstellung zurücksetzen</translation>
    </message>
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
        <translation>Zurück zur Übersicht</translation>
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
        <source>Which settings are shown</source>
        <translation>Welche Einstellungen gezeigt werden</translation>
    </message>
    <message>
        <source>the goal</source>
        <translation>das Ziel</translation>
    </message>
    <message>
        <source>the recipe</source>
        <translation>das Rezept</translation>
    </message>
    <message>
        <source>everything</source>
        <translation>alles</translation>
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
        <source>This training</source>
        <translation>Dieses Training</translation>
    </message>
    <message>
        <source>&amp;Name</source>
        <translation>&amp;Name</translation>
    </message>
    <message>
        <source>Name of the run</source>
        <translation>Name des Laufs</translation>
    </message>
    <message>
        <source>without</source>
        <translation>ohne</translation>
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
        <source>One run for each seed</source>
        <translation>Ein Lauf je Seed</translation>
    </message>
    <message>
        <source>&amp;Grid</source>
        <translation>&amp;Raster</translation>
    </message>
    <message>
        <source>Grid of settings</source>
        <translation>Raster von Einstellungen</translation>
    </message>
    <message>
        <source>One run for each value; several grids, separated by blanks, give all combinations</source>
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
        <source>none: plain defaults</source>
        <translation>keine: nur Vorgaben</translation>
    </message>
    <message>
        <source>that of the preset</source>
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
        <source>Seeds are a range like 1..5 or a list like 1,2,7</source>
        <translation>Seeds sind ein Bereich wie 1..5 oder eine Liste wie 1,2,7</translation>
    </message>
    <message>
        <source>A grid is KEY=VALUE,VALUE, for example algo.gamma=0.98,0.99; at most 10,000 runs</source>
        <translation>Ein Raster ist SCHLÜSSEL=WERT,WERT, zum Beispiel algo.gamma=0.98,0.99; höchstens 10.000 Läufe</translation>
    </message>
    <message>
        <source>Memory: about %1 for each run that goes</source>
        <translation>Speicher: etwa %1 für jeden Lauf, der trainiert</translation>
    </message>
    <message>
        <source>Time: about %1 at %2 steps/s, measured just now</source>
        <translation>Zeit: etwa %1 bei %2 Schritten/s, gerade eben gemessen</translation>
    </message>
    <message numerus="yes">
        <source>Time: about %1 for each of %n run(s), %2 one after the other, at %3 steps/s measured just now</source>
        <translation>
            <numerusform>Zeit: etwa %1 für %n Lauf, %2 insgesamt, bei %3 Schritten/s, gerade eben gemessen</numerusform>
            <numerusform>Zeit: etwa %1 für jeden von %n Läufen, %2 nacheinander, bei %3 Schritten/s, gerade eben gemessen</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n run(s)</source>
        <translation>
            <numerusform>%n Lauf</numerusform>
            <numerusform>%n Läufe</numerusform>
        </translation>
    </message>
    <message>
        <source>Choose a setting to read what it does.</source>
        <translation>Wähle eine Einstellung, um zu lesen, was sie bewirkt.</translation>
    </message>
    <message>
        <source>allowed: %1</source>
        <translation>erlaubt: %1</translation>
    </message>
    <message>
        <source>unit: %1</source>
        <translation>Einheit: %1</translation>
    </message>
    <message>
        <source>default: %1</source>
        <translation>Vorgabe: %1</translation>
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
        <source>Sh&amp;ow</source>
        <translation>&amp;Zeigen</translation>
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
        <source>“%1” is on the grid twice</source>
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
</context>
<context>
    <name>seedbed::ui::DashboardPage</name>
    <message>
        <source>Train something</source>
        <translation>Etwas trainieren</translation>
    </message>
    <message>
        <source>Add chart</source>
        <translation>Diagramm hinzufügen</translation>
    </message>
    <message>
        <source>About the run</source>
        <translation>Über den Lauf</translation>
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
        <translation>Strategie dieses Laufs exportieren</translation>
    </message>
    <message>
        <source>Show the run before</source>
        <translation>Den Lauf davor zeigen</translation>
    </message>
    <message>
        <source>Show the run after</source>
        <translation>Den Lauf danach zeigen</translation>
    </message>
    <message>
        <source>Show charts as tables</source>
        <translation>Diagramme als Tabellen zeigen</translation>
    </message>
    <message>
        <source>Bring back the usual charts</source>
        <translation>Die üblichen Diagramme zurückholen</translation>
    </message>
    <message>
        <source>Looking for runs…</source>
        <translation>Läufe werden gesucht …</translation>
    </message>
    <message>
        <source>Run %1 is not there (yet).</source>
        <translation>Lauf %1 ist (noch) nicht da.</translation>
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
        <source>There is no run to do this with.</source>
        <translation>Es gibt keinen Lauf, mit dem das ginge.</translation>
    </message>
    <message>
        <source>This cannot be done with a run whose state is: %1.</source>
        <translation>Das geht nicht mit einem Lauf in diesem Zustand: %1.</translation>
    </message>
    <message>
        <source>At the foot: ▲ checkpoint, ╷ evaluation; dashed: resumed</source>
        <translation>Am Fuß: ▲ Speicherstand, ╷ Auswertung; gestrichelt: fortgesetzt</translation>
    </message>
</context>
<context>
    <name>seedbed::ui::DifferenceView</name>
    <message>
        <source>Show equal settings too</source>
        <translation>Auch gleiche Einstellungen zeigen</translation>
    </message>
    <message>
        <source>Settings of the compared groups</source>
        <translation>Einstellungen der verglichenen Gruppen</translation>
    </message>
    <message>
        <source>Two groups are needed for a difference.</source>
        <translation>Für einen Unterschied braucht es zwei Gruppen.</translation>
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
        <source>The metrics are being examined…</source>
        <translation>Die Messwerte werden untersucht …</translation>
    </message>
    <message>
        <source>Nothing unusual in this run.</source>
        <translation>Nichts Ungewöhnliches in diesem Lauf.</translation>
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
        <source>Take star away</source>
        <translation>Stern nehmen</translation>
    </message>
    <message>
        <source>Archive</source>
        <translation>Archivieren</translation>
    </message>
    <message>
        <source>Take out of the archive</source>
        <translation>Aus dem Archiv holen</translation>
    </message>
    <message>
        <source>Move to the bin</source>
        <translation>In den Papierkorb legen</translation>
    </message>
    <message>
        <source>Take out of the bin</source>
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
        <source>What for</source>
        <translation>Wofür</translation>
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
        <source>safetensors: other training programs, and back into Seedbed</source>
        <translation>safetensors: andere Trainingsprogramme und zurück zu Seedbed</translation>
    </message>
    <message>
        <source>Plain weights with a description of the network.</source>
        <translation>Die bloßen Gewichte mit einer Beschreibung des Netzes.</translation>
    </message>
    <message>
        <source>C header: microcontrollers and programs without libraries</source>
        <translation>C-Header: Mikrocontroller und Programme ohne Bibliotheken</translation>
    </message>
    <message>
        <source>One C99 file that allocates nothing and needs only math.h.</source>
        <translation>Eine C99-Datei, die keinen Speicher anfordert und nur math.h braucht.</translation>
    </message>
    <message>
        <source>What goes inside</source>
        <translation>Was hineinkommt</translation>
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
        <source>Names of the ONNX inputs and outputs</source>
        <translation>Namen der ONNX-Ein- und -Ausgänge</translation>
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
        <source>&amp;Names for</source>
        <translation>&amp;Namen für</translation>
    </message>
    <message>
        <source>Licence of the weights</source>
        <translation>Lizenz der Gewichte</translation>
    </message>
    <message>
        <source>as the program suggests</source>
        <translation>wie das Programm vorschlägt</translation>
    </message>
    <message>
        <source>&amp;Licence</source>
        <translation>&amp;Lizenz</translation>
    </message>
    <message>
        <source>Value estimate as a further output</source>
        <translation>Geschätzter Wert als weiterer Ausgang</translation>
    </message>
    <message>
        <source>Not needed for acting.</source>
        <translation>Zum Handeln nicht nötig.</translation>
    </message>
    <message>
        <source>A replay as animated picture, and a thumbnail</source>
        <translation>Eine Aufzeichnung als bewegtes Bild und ein Vorschaubild</translation>
    </message>
    <message>
        <source>One greedy episode.</source>
        <translation>Eine gierig gespielte Episode.</translation>
    </message>
    <message>
        <source>Always inside: the normalisation of observations, their clipping, and the scaling of actions. Stacks of frames are made by the program that calls; the description says how many frames. Weights, settings, interface, golden vectors and the proof come with every form.</source>
        <translation>Immer enthalten: die Normalisierung der Beobachtungen, ihre Begrenzung und die Skalierung der Aktionen. Bildstapel stellt das aufrufende Programm zusammen; die Beschreibung nennt die Zahl der Bilder. Gewichte, Einstellungen, Schnittstelle, Vergleichsvektoren und der Beweis liegen jeder Form bei.</translation>
    </message>
    <message>
        <source>Where to</source>
        <translation>Wohin</translation>
    </message>
    <message>
        <source>Folder to make</source>
        <translation>Ordner, der angelegt wird</translation>
    </message>
    <message>
        <source>Choose …</source>
        <translation>Auswählen …</translation>
    </message>
    <message>
        <source>Choose the folder</source>
        <translation>Den Ordner auswählen</translation>
    </message>
    <message>
        <source>An empty folder, or one in which to make a new one</source>
        <translation>Ein leerer Ordner oder einer, in dem ein neuer angelegt wird</translation>
    </message>
    <message>
        <source>The forms are written and checked</source>
        <translation>Die Formen werden geschrieben und geprüft</translation>
    </message>
    <message>
        <source>Proof that the exported policy is the trained one</source>
        <translation>Beweis, dass die exportierte Strategie die trainierte ist</translation>
    </message>
    <message>
        <source>Form</source>
        <translation>Form</translation>
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
        <source>Run by</source>
        <translation>Ausgeführt von</translation>
    </message>
    <message>
        <source>Run %1</source>
        <translation>Lauf %1</translation>
    </message>
    <message>
        <source>Run %1, %2 with %3</source>
        <translation>Lauf %1, %2 mit %3</translation>
    </message>
    <message>
        <source>%1; best return %2</source>
        <translation>%1; bester Ertrag %2</translation>
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
        <source>This run has no checkpoint yet. It is saved within its first seconds; try again then.</source>
        <translation>Dieser Lauf hat noch keinen Speicherstand. Er wird in den ersten Sekunden gesichert; versuche es dann noch einmal.</translation>
    </message>
    <message>
        <source>policy</source>
        <translation>strategie</translation>
    </message>
    <message>
        <source>Before anything is written, every form is run beside the trained network: on golden vectors and in whole episodes. A form that differs is not written.</source>
        <translation>Bevor etwas geschrieben wird, läuft jede Form neben dem trainierten Netz: auf Vergleichsvektoren und in ganzen Episoden. Eine Form, die abweicht, wird nicht geschrieben.</translation>
    </message>
    <message>
        <source>Choose at least one form.</source>
        <translation>Wähle mindestens eine Form.</translation>
    </message>
    <message>
        <source>The proof failed: %1</source>
        <translation>Der Beweis ist gescheitert: %1</translation>
    </message>
    <message numerus="yes">
        <source>Proven and written: %n file(s) in %1, in %2.</source>
        <translation>
            <numerusform>Bewiesen und geschrieben: %n Datei in %1, in %2.</numerusform>
            <numerusform>Bewiesen und geschrieben: %n Dateien in %1, in %2.</numerusform>
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
        <source>Search</source>
        <translation>Suchen</translation>
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
        <source>All</source>
        <translation>Alle</translation>
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
        <source>There is no preset for it yet: choose Customize</source>
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
        <source>no preset yet</source>
        <translation>noch keine Voreinstellung</translation>
    </message>
    <message>
        <source>time here: not measured yet</source>
        <translation>Dauer hier: noch nicht gemessen</translation>
    </message>
    <message>
        <source>%1 to its goal here</source>
        <translation>%1 bis zum Ziel auf diesem Rechner</translation>
    </message>
    <message>
        <source>%1 for all steps; no result recorded</source>
        <translation>%1 für alle Schritte; kein Ergebnis verzeichnet</translation>
    </message>
    <message>
        <source>No environment is of this difficulty.</source>
        <translation>Keine Umgebung hat diese Schwierigkeit.</translation>
    </message>
    <message>
        <source>No environment of this difficulty matches. Clear the search or choose all difficulties.</source>
        <translation>Keine Umgebung dieser Schwierigkeit passt. Leeren Sie die Suche oder wählen Sie alle Schwierigkeiten.</translation>
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
        <source>Lowest – highest</source>
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
        <source>no episode has ended yet</source>
        <translation>noch keine Episode zu Ende</translation>
    </message>
    <message>
        <source>interquartile mean over runs</source>
        <translation>Interquartilmittel über die Läufe</translation>
    </message>
    <message>
        <source>mean over runs</source>
        <translation>Mittel über die Läufe</translation>
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
        <source>Some runs were never evaluated: their last 100 training episodes count.</source>
        <translation>Manche Läufe wurden nie ausgewertet: Bei ihnen zählen die letzten 100 Trainingsepisoden.</translation>
    </message>
    <message numerus="yes">
        <source>%n run(s) without an episode are not in the statistics.</source>
        <translation>
            <numerusform>%n Lauf ohne Episode ist nicht in der Statistik.</numerusform>
            <numerusform>%n Läufe ohne Episode sind nicht in der Statistik.</numerusform>
        </translation>
    </message>
    <message>
        <source>Select runs in the table to compare them. Runs with the same settings and other seeds form a group.</source>
        <translation>Wähle Läufe in der Tabelle aus, um sie zu vergleichen. Läufe mit gleichen Einstellungen und anderen Seeds bilden eine Gruppe.</translation>
    </message>
    <message>
        <source>few seeds: intervals say little below %1</source>
        <translation>wenige Seeds: unter %1 sagen Intervalle wenig</translation>
    </message>
    <message>
        <source>Score of a run: its newest evaluation; of a group: interquartile mean for 4 runs or more, else mean. Intervals: 95 % bootstrap over the runs of each group, widened for few runs. Of runs with the same seed the newest counts. Verdicts: permutation test at 5 %.</source>
        <translation>Punktzahl eines Laufs: seine neueste Auswertung; einer Gruppe: Interquartilmittel ab 4 Läufen, sonst Mittel. Intervalle: 95 %, Bootstrap über die Läufe jeder Gruppe, bei wenigen Läufen verbreitert. Von Läufen mit gleichem Seed zählt der neueste. Urteile: Permutationstest bei 5 %.</translation>
    </message>
    <message>
        <source>at the common step</source>
        <translation>beim gemeinsamen Schritt</translation>
    </message>
    <message>
        <source>at the last step of each</source>
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
        <source>The chosen runs are equally far</source>
        <translation>Die gewählten Läufe sind gleich weit</translation>
    </message>
    <message>
        <source>The chosen runs are not equally far. At the common step, the last that all runs of an environment have reached, each is judged by what it could then; at the last step of each, those that trained longer are at an advantage.</source>
        <translation>Die gewählten Läufe sind nicht gleich weit. Beim gemeinsamen Schritt, dem letzten, den alle Läufe einer Umgebung erreicht haben, zählt, was jeder damals konnte; beim jeweils letzten Schritt sind die im Vorteil, die länger trainiert haben.</translation>
    </message>
    <message>
        <source>Bands of curves are not widened. %1</source>
        <translation>Bänder von Kurven sind nicht verbreitert. %1</translation>
    </message>
    <message>
        <source>Scores at step %1, the last that all runs have reached.</source>
        <translation>Punktzahlen bei Schritt %1, dem letzten, den alle Läufe erreicht haben.</translation>
    </message>
    <message>
        <source>The runs are not equally far: each score is of its own last step.</source>
        <translation>Die Läufe sind nicht gleich weit: jede Punktzahl gilt für den eigenen letzten Schritt.</translation>
    </message>
    <message>
        <source>Each group is tested by itself: of twenty that do not differ, about one is said to.</source>
        <translation>Jede Gruppe wird für sich geprüft: von zwanzig, die sich nicht unterscheiden, heißt es etwa von einer, sie tue es.</translation>
    </message>
</context>
<context>
    <name>seedbed::ui::Launcher</name>
    <message>
        <source>%1 ended unexpectedly. Nothing was changed; try again.</source>
        <translation>%1 ist unerwartet zu Ende gegangen. Es wurde nichts geändert; versuche es noch einmal.</translation>
    </message>
    <message>
        <source>%1 ended with code %2</source>
        <translation>%1 endete mit Code %2</translation>
    </message>
    <message>
        <source>%1 could not be started: %2. Is Seedbed installed completely?</source>
        <translation>%1 konnte nicht gestartet werden: %2. Ist Seedbed vollständig installiert?</translation>
    </message>
    <message>
        <source>The runs wait in the queue, but it could not be started: %1</source>
        <translation>Die Läufe stehen in der Warteschlange, aber sie konnte nicht gestartet werden: %1</translation>
    </message>
</context>
<context>
    <name>seedbed::ui::MainWindow</name>
    <message>
        <source>Pages</source>
        <translation>Seiten</translation>
    </message>
    <message>
        <source>&amp;Window</source>
        <translation>&amp;Fenster</translation>
    </message>
    <message>
        <source>&amp;Close window (runs go on)</source>
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
        <source>Theme of the &amp;system</source>
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
        <source>Langua&amp;ge of the system</source>
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
    <name>seedbed::ui::PlayerClient</name>
    <message>
        <source>%1 could not be started: %2. Is Seedbed installed completely?</source>
        <translation>%1 konnte nicht gestartet werden: %2. Ist Seedbed vollständig installiert?</translation>
    </message>
    <message>
        <source>The player ended unexpectedly. Training is not affected; start it again.</source>
        <translation>Das Abspielen ist unerwartet zu Ende gegangen. Das Training ist nicht betroffen; starte es noch einmal.</translation>
    </message>
    <message>
        <source>The player has ended (code %1). Training is not affected; start it again.</source>
        <translation>Das Abspielen ist zu Ende (Code %1). Das Training ist nicht betroffen; starte es noch einmal.</translation>
    </message>
</context>
<context>
    <name>seedbed::ui::QueueModel</name>
    <message>
        <source>run %1</source>
        <translation>Lauf %1</translation>
    </message>
    <message>
        <source>waits, paused</source>
        <translation>wartet, angehalten</translation>
    </message>
    <message>
        <source>waits to go on</source>
        <translation>wartet auf Fortsetzung</translation>
    </message>
    <message>
        <source>waits</source>
        <translation>wartet</translation>
    </message>
    <message>
        <source>Run</source>
        <translation>Lauf</translation>
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
        <source>State</source>
        <translation>Zustand</translation>
    </message>
    <message>
        <source>Steps</source>
        <translation>Schritte</translation>
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
        <source>Earlier</source>
        <translation>Früher</translation>
    </message>
    <message>
        <source>Later</source>
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
        <source>Take out of the queue</source>
        <translation>Aus der Warteschlange nehmen</translation>
    </message>
    <message numerus="yes">
        <source>%n run(s) taken out of the queue; Undo brings them back.</source>
        <translation>
            <numerusform>%n Lauf aus der Warteschlange genommen; Rückgängig holt ihn zurück.</numerusform>
            <numerusform>%n Läufe aus der Warteschlange genommen; Rückgängig holt sie zurück.</numerusform>
        </translation>
    </message>
    <message>
        <source>Pause the queue</source>
        <translation>Warteschlange anhalten</translation>
    </message>
    <message>
        <source>The queue is empty. “Train” on the start page puts runs here.</source>
        <translation>Die Warteschlange ist leer. „Trainieren“ auf der Startseite stellt Läufe hierher.</translation>
    </message>
    <message numerus="yes">
        <source>%n run(s) go</source>
        <translation>
            <numerusform>%n Lauf trainiert</numerusform>
            <numerusform>%n Läufe trainieren</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n run(s) wait</source>
        <translation>
            <numerusform>%n Lauf wartet</numerusform>
            <numerusform>%n Läufe warten</numerusform>
        </translation>
    </message>
    <message>
        <source> · paused: nothing further is started</source>
        <translation> · angehalten: nichts Weiteres wird gestartet</translation>
    </message>
    <message>
        <source>Continue the queue</source>
        <translation>Warteschlange fortsetzen</translation>
    </message>
    <message numerus="yes">
        <source>Take %n run(s) out of the queue</source>
        <translation>
            <numerusform>%n Lauf aus der Warteschlange nehmen</numerusform>
            <numerusform>%n Läufe aus der Warteschlange nehmen</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n run(s) rest</source>
        <translation>
            <numerusform>%n Lauf ruht</numerusform>
            <numerusform>%n Läufe ruhen</numerusform>
        </translation>
    </message>
    <message>
        <source> · nothing is started before “Start the queue”</source>
        <translation> · nichts beginnt vor „Warteschlange starten“</translation>
    </message>
    <message>
        <source>Start the queue</source>
        <translation>Warteschlange starten</translation>
    </message>
    <message>
        <source>Let the run go on</source>
        <translation>Lauf fortsetzen</translation>
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
        <source>The run stops after its update; its state is saved and it can be resumed.</source>
        <translation>Der Lauf stoppt nach seinem Lernschritt; sein Stand wird gesichert, und er kann fortgesetzt werden.</translation>
    </message>
    <message>
        <source>The run pauses after its update.</source>
        <translation>Der Lauf hält nach seinem Lernschritt an.</translation>
    </message>
    <message>
        <source>The run is saved after its update.</source>
        <translation>Der Lauf wird nach seinem Lernschritt gesichert.</translation>
    </message>
    <message>
        <source>The run goes on.</source>
        <translation>Der Lauf geht weiter.</translation>
    </message>
    <message>
        <source>seed %1</source>
        <translation>Seed %1</translation>
    </message>
    <message>
        <source>Saving fails at the moment; training goes on and saving is tried again.</source>
        <translation>Das Speichern gelingt im Augenblick nicht; das Training geht weiter, und das Speichern wird wieder versucht.</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%1 von %2</translation>
    </message>
    <message>
        <source>mean of an evaluation</source>
        <translation>Mittel einer Auswertung</translation>
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
        <source>The run goes on from its last checkpoint when its turn in the queue comes.</source>
        <translation>Der Lauf geht von seinem letzten Speicherstand weiter, wenn er in der Warteschlange an der Reihe ist.</translation>
    </message>
    <message>
        <source>The run does not answer. What is shown is what it said last; its saved checkpoints are safe.</source>
        <translation>Der Lauf antwortet nicht. Gezeigt wird, was er zuletzt gesagt hat; seine Speicherstände sind sicher.</translation>
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
        <source>learning from it</source>
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
        <source>waiting until it can be saved</source>
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
        <source>Steps per second of training time, evaluations and saving included</source>
        <translation>Schritte je Sekunde der Trainingszeit, Auswertungen und Sichern eingeschlossen</translation>
    </message>
</context>
<context>
    <name>seedbed::ui::RunStore</name>
    <message>
        <source>Another program holds the database in %1. Nothing is lost; the window waits for it.</source>
        <translation>Ein anderes Programm hält die Datenbank in %1 fest. Nichts ist verloren; das Fenster wartet darauf.</translation>
    </message>
    <message>
        <source>The data folder %1 has disappeared: it was moved, deleted or unmounted. What is shown is the last known state; it comes back by itself when the folder does.</source>
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
        <source>steps per second of training time, over the whole run</source>
        <translation>Schritte je Sekunde Trainingszeit, über den ganzen Lauf</translation>
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
        <source>began to train %1; made or queued %2</source>
        <translation>trainiert seit %1; angelegt oder eingereiht %2</translation>
    </message>
    <message>
        <source>has not begun to train; made or queued %1</source>
        <translation>trainiert noch nicht; angelegt oder eingereiht %1</translation>
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
        <source>As table</source>
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
        <source>%1, mean of the last tenth</source>
        <translation>%1, Mittel des letzten Zehntels</translation>
    </message>
    <message numerus="yes">
        <source>%n further group(s) have no place beside the picture; the table names them.</source>
        <translation>
            <numerusform>%n weitere Gruppe hat neben dem Bild keinen Platz; die Tabelle nennt sie.</numerusform>
            <numerusform>%n weitere Gruppen haben neben dem Bild keinen Platz; die Tabelle nennt sie.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n run(s) are left out: they have no such setting, or no such value yet.</source>
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
        <source>%1 · episode %2 · return %3</source>
        <translation>%1 · Episode %2 · Ertrag %3</translation>
    </message>
    <message>
        <source>%1 · step %2 · return %3</source>
        <translation>%1 · Schritt %2 · Ertrag %3</translation>
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
        <source>Train with the settings of the form</source>
        <translation>Mit den Einstellungen des Formulars trainieren</translation>
    </message>
    <message>
        <source>Back to the gallery</source>
        <translation>Zurück zur Übersicht</translation>
    </message>
    <message numerus="yes">
        <source>%n run(s) wait in the queue: others train already. The queue page lets more train at a time.</source>
        <translation>
            <numerusform>%n Lauf wartet in der Warteschlange: Andere trainieren schon. Auf der Seite „Warteschlange“ lässt du mehr gleichzeitig trainieren.</numerusform>
            <numerusform>%n Läufe warten in der Warteschlange: Andere trainieren schon. Auf der Seite „Warteschlange“ lässt du mehr gleichzeitig trainieren.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n run(s) put into the queue</source>
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
    <name>seedbed::ui::TimeLine</name>
    <message>
        <source>Time line of the agent in focus</source>
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
</context>
<context>
    <name>seedbed::ui::WatchPage</name>
    <message>
        <source>Decisions of the agent in focus, newest first</source>
        <translation>Entscheidungen des betrachteten Agenten, neueste zuerst</translation>
    </message>
    <message>
        <source>Run</source>
        <translation>Lauf</translation>
    </message>
    <message>
        <source>Weights that play</source>
        <translation>Gewichte, die spielen</translation>
    </message>
    <message>
        <source>New games or a kept evaluation episode</source>
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
        <source>How actions are chosen</source>
        <translation>Wie Aktionen gewählt werden</translation>
    </message>
    <message>
        <source>Greedy</source>
        <translation>Gierig</translation>
    </message>
    <message>
        <source>Sampled</source>
        <translation>Gezogen</translation>
    </message>
    <message>
        <source>Agent whose thoughts are shown</source>
        <translation>Agent, dessen Gedanken gezeigt werden</translation>
    </message>
    <message>
        <source>Start again</source>
        <translation>Neu starten</translation>
    </message>
    <message>
        <source>Pause or go on</source>
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
        <translation>Zwischen gierigen und gezogenen Aktionen wechseln</translation>
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
        <source>Only the agent in focus</source>
        <translation>Nur der betrachtete Agent</translation>
    </message>
    <message>
        <source>Alone</source>
        <translation>Allein</translation>
    </message>
    <message>
        <source>Time line as a table</source>
        <translation>Zeitleiste als Tabelle</translation>
    </message>
    <message>
        <source>Table</source>
        <translation>Tabelle</translation>
    </message>
    <message>
        <source>Begin new games</source>
        <translation>Neue Spiele beginnen</translation>
    </message>
    <message>
        <source>Speed</source>
        <translation>Tempo</translation>
    </message>
    <message>
        <source>as fast as it goes</source>
        <translation>so schnell es geht</translation>
    </message>
    <message>
        <source>There is nothing to watch yet. Train an agent on the start page; it can be watched while it learns.</source>
        <translation>Noch gibt es nichts zu sehen. Trainiere auf der Startseite einen Agenten; du kannst ihm beim Lernen zusehen.</translation>
    </message>
    <message>
        <source>Newest weights, as it learns</source>
        <translation>Neueste Gewichte, während er lernt</translation>
    </message>
    <message>
        <source>Newest weights</source>
        <translation>Neueste Gewichte</translation>
    </message>
    <message>
        <source>Checkpoint of step %1</source>
        <translation>Speicherstand von Schritt %1</translation>
    </message>
    <message>
        <source>%1, return %2</source>
        <translation>%1, Ertrag %2</translation>
    </message>
    <message>
        <source>%1 (best)</source>
        <translation>%1 (bester)</translation>
    </message>
    <message>
        <source>no checkpoint of step %1 is kept; this is the nearest one, of step %2</source>
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
        <source>The player starts …</source>
        <translation>Das Abspielen startet …</translation>
    </message>
    <message>
        <source>Nothing is played.</source>
        <translation>Nichts wird gespielt.</translation>
    </message>
    <message>
        <source>Agent %1</source>
        <translation>Agent %1</translation>
    </message>
    <message>
        <source>as recorded</source>
        <translation>wie aufgezeichnet</translation>
    </message>
    <message>
        <source>greedy</source>
        <translation>gierig</translation>
    </message>
    <message>
        <source>sampled</source>
        <translation>gezogen</translation>
    </message>
    <message>
        <source>weights of step %1, following</source>
        <translation>Gewichte von Schritt %1, laufend erneuert</translation>
    </message>
    <message>
        <source>weights of step %1</source>
        <translation>Gewichte von Schritt %1</translation>
    </message>
    <message>
        <source>%1 back</source>
        <translation>%1 zurück</translation>
    </message>
    <message>
        <source>the episode is over</source>
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
        <source>Checkpoint of step %1, no longer kept</source>
        <translation>Speicherstand von Schritt %1, nicht mehr vorhanden</translation>
    </message>
    <message>
        <source>no checkpoint is kept; the newest weights play instead of those of step %1</source>
        <translation>kein Speicherstand ist vorhanden; statt derer von Schritt %1 spielen die neuesten Gewichte</translation>
    </message>
</context>
</TS>
