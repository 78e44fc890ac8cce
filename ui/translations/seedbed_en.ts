<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="en">
<context>
    <name>seedbed::ui::Attendant</name>
    <message numerus="yes">
        <source>%n run(s) finished</source>
        <translation>
            <numerusform>%n run finished</numerusform>
            <numerusform>%n runs finished</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n run(s) failed</source>
        <translation>
            <numerusform>%n run failed</numerusform>
            <numerusform>%n runs failed</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n run(s) interrupted</source>
        <translation>
            <numerusform>%n run interrupted</numerusform>
            <numerusform>%n runs interrupted</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n run(s) train</source>
        <translation>
            <numerusform>%n run trains</numerusform>
            <numerusform>%n runs train</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n run(s) were interrupted. What they had learned until their last checkpoints is saved, and they can go on from there.</source>
        <translation>
            <numerusform>%n run was interrupted. What it had learned until its last checkpoint is saved, and it can go on from there.</numerusform>
            <numerusform>%n runs were interrupted. What they had learned until their last checkpoints is saved, and they can go on from there.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>seedbed::ui::BarStack</name>
    <message numerus="yes">
        <source>%n older message(s) behind these</source>
        <translation>
            <numerusform>%n older message behind these</numerusform>
            <numerusform>%n older messages behind these</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>seedbed::ui::BottleneckStrip</name>
    <message numerus="yes">
        <source>Shares of the threads' time over the newest %n updates: </source>
        <translation>
            <numerusform>Shares of the threads' time over the newest %n update: </numerusform>
            <numerusform>Shares of the threads' time over the newest %n updates: </numerusform>
        </translation>
    </message>
</context>
<context>
    <name>seedbed::ui::ChartPlot</name>
    <message numerus="yes">
        <source>and %n more</source>
        <translation>
            <numerusform>and %n more</numerusform>
            <numerusform>and %n more</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>seedbed::ui::ChartTableModel</name>
    <message numerus="yes">
        <source>And %n more series.</source>
        <translation>
            <numerusform>And %n more series.</numerusform>
            <numerusform>And %n more series.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Band: 95 % bootstrap interval over %n run(s).</source>
        <translation>
            <numerusform>Band: 95 % bootstrap interval over %n run.</numerusform>
            <numerusform>Band: 95 % bootstrap interval over %n runs.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>A band over %n run(s) is too narrow: it holds the true centre about %1 times in 100, not 95.</source>
        <translation>
            <numerusform>A band over %n run is too narrow: it holds the true centre about %1 times in 100, not 95.</numerusform>
            <numerusform>A band over %n runs is too narrow: it holds the true centre about %1 times in 100, not 95.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>seedbed::ui::ComparePage</name>
    <message numerus="yes">
        <source>%n run(s)</source>
        <translation>
            <numerusform>%n run</numerusform>
            <numerusform>%n runs</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 of %n run(s)</source>
        <translation>
            <numerusform>%1 of %n run</numerusform>
            <numerusform>%1 of %n runs</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>, %n selected</source>
        <translation>
            <numerusform>, %n selected</numerusform>
            <numerusform>, %n selected</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n run(s) that are going were left; stop them first.</source>
        <translation>
            <numerusform>%n run that is going was left; stop it first.</numerusform>
            <numerusform>%n runs that are going were left; stop them first.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n run(s) moved to the bin; Undo brings them back.</source>
        <translation>
            <numerusform>%n run moved to the bin; Undo brings it back.</numerusform>
            <numerusform>%n runs moved to the bin; Undo brings them back.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Tag for %n run(s)</source>
        <translation>
            <numerusform>Tag for %n run</numerusform>
            <numerusform>Tag for %n runs</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n run(s) were queued.</source>
        <translation>
            <numerusform>%n run was queued.</numerusform>
            <numerusform>%n runs were queued.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source> (%n of them hidden by the filter)</source>
        <translation>
            <numerusform> (%n of them hidden by the filter)</numerusform>
            <numerusform> (%n of them hidden by the filter)</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n run(s) archived; Undo brings them back.</source>
        <translation>
            <numerusform>%n run archived; Undo brings it back.</numerusform>
            <numerusform>%n runs archived; Undo brings them back.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n run(s) taken out of the archive.</source>
        <translation>
            <numerusform>%n run taken out of the archive.</numerusform>
            <numerusform>%n runs taken out of the archive.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>seedbed::ui::CustomizeView</name>
    <message numerus="yes">
        <source>Time: about %1 for each of %n run(s), %2 one after the other, at %3 steps/s measured just now</source>
        <translation>
            <numerusform>Time: about %1 for each of %n run, %2 one after the other, at %3 steps/s measured just now</numerusform>
            <numerusform>Time: about %1 for each of %n runs, %2 one after the other, at %3 steps/s measured just now</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n run(s)</source>
        <translation>
            <numerusform>%n run</numerusform>
            <numerusform>%n runs</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Changed on&amp;ly (%n)</source>
        <translation>
            <numerusform>Changed on&amp;ly (%n)</numerusform>
            <numerusform>Changed on&amp;ly (%n)</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Change %n setting(s)</source>
        <translation>
            <numerusform>Change %n setting</numerusform>
            <numerusform>Change %n settings</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>seedbed::ui::DifferenceView</name>
    <message numerus="yes">
        <source>%n setting(s) differ.</source>
        <translation>
            <numerusform>%n setting differs.</numerusform>
            <numerusform>%n settings differ.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>seedbed::ui::ExportPage</name>
    <message numerus="yes">
        <source>Proven and written: %n file(s) in %1, in %2.</source>
        <translation>
            <numerusform>Proven and written: %n file in %1, in %2.</numerusform>
            <numerusform>Proven and written: %n files in %1, in %2.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>seedbed::ui::GroupsView</name>
    <message numerus="yes">
        <source>Queue %n more seed(s)</source>
        <translation>
            <numerusform>Queue %n more seed</numerusform>
            <numerusform>Queue %n more seeds</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n run(s) without an episode are not in the statistics.</source>
        <translation>
            <numerusform>%n run without an episode is not in the statistics.</numerusform>
            <numerusform>%n runs without an episode are not in the statistics.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>seedbed::ui::QueuePage</name>
    <message numerus="yes">
        <source>%n run(s) go</source>
        <translation>
            <numerusform>%n run goes</numerusform>
            <numerusform>%n runs go</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n run(s) wait</source>
        <translation>
            <numerusform>%n run waits</numerusform>
            <numerusform>%n runs wait</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n run(s) taken out of the queue; Undo brings them back.</source>
        <translation>
            <numerusform>%n run taken out of the queue; Undo brings it back.</numerusform>
            <numerusform>%n runs taken out of the queue; Undo brings them back.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Take %n run(s) out of the queue</source>
        <translation>
            <numerusform>Take %n run out of the queue</numerusform>
            <numerusform>Take %n runs out of the queue</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n run(s) rest</source>
        <translation>
            <numerusform>%n run rest</numerusform>
            <numerusform>%n runs rest</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>seedbed::ui::ScatterView</name>
    <message numerus="yes">
        <source>%n run(s): %1 against %2</source>
        <translation>
            <numerusform>%n run: %1 against %2</numerusform>
            <numerusform>%n runs: %1 against %2</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n further group(s) have no place beside the picture; the table names them.</source>
        <translation>
            <numerusform>%n further group has no place beside the picture; the table names them.</numerusform>
            <numerusform>%n further groups have no place beside the picture; the table names them.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n run(s) are left out: they have no such setting, or no such value yet.</source>
        <translation>
            <numerusform>%n run is left out: they has no such setting, or no such value yet.</numerusform>
            <numerusform>%n runs are left out: they have no such setting, or no such value yet.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>seedbed::ui::StartPage</name>
    <message numerus="yes">
        <source>%n run(s) wait in the queue: others train already. The queue page lets more train at a time.</source>
        <translation>
            <numerusform>%n run waits in the queue: others train already. The queue page lets more train at a time.</numerusform>
            <numerusform>%n runs wait in the queue: others train already. The queue page lets more train at a time.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n run(s) put into the queue</source>
        <translation>
            <numerusform>%n run put into the queue</numerusform>
            <numerusform>%n runs put into the queue</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>seedbed::ui::WatchPage</name>
    <message numerus="yes">
        <source>%n agent(s)</source>
        <translation>
            <numerusform>%n agent</numerusform>
            <numerusform>%n agents</numerusform>
        </translation>
    </message>
</context>
</TS>
