<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="en">
<context>
    <name>seedbed::ui::BarStack</name>
    <message numerus="yes">
        <source>%n older message(s)</source>
        <translation>
            <numerusform>%n older message</numerusform>
            <numerusform>%n older messages</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>seedbed::ui::Bell</name>
    <message numerus="yes">
        <source>%n new notification(s)</source>
        <translation>
            <numerusform>%n new notification</numerusform>
            <numerusform>%n new notifications</numerusform>
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
        <source>A band over %n run(s) is too narrow: it contains the true centre in about %1 of 100 cases instead of 95.</source>
        <translation>
            <numerusform>A band over %n run is too narrow: it contains the true centre in about %1 of 100 cases instead of 95.</numerusform>
            <numerusform>A band over %n runs is too narrow: it contains the true centre in about %1 of 100 cases instead of 95.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>seedbed::ui::CompareText</name>
    <message numerus="yes">
        <source>%n seed(s) against %1</source>
        <translation>
            <numerusform>%n seed against %1</numerusform>
            <numerusform>%n seeds against %1</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n seed(s)</source>
        <translation>
            <numerusform>%n seed</numerusform>
            <numerusform>%n seeds</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>seedbed::ui::ComparisonView</name>
    <message numerus="yes">
        <source>%n run(s) were queued.</source>
        <translation>
            <numerusform>%n run was queued.</numerusform>
            <numerusform>%n runs were queued.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>seedbed::ui::CustomizeView</name>
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
    <message numerus="yes">
        <source>%n value(s)</source>
        <translation>
            <numerusform>%n value</numerusform>
            <numerusform>%n values</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n seed(s)</source>
        <translation>
            <numerusform>%n seed</numerusform>
            <numerusform>%n seeds</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n run(s)</source>
        <translation>
            <numerusform>%n run</numerusform>
            <numerusform>%n runs</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>seedbed::ui::DeviceList</name>
    <message numerus="yes">
        <source>%n core(s)</source>
        <translation>
            <numerusform>%n core</numerusform>
            <numerusform>%n cores</numerusform>
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
    <name>seedbed::ui::DoctorCard</name>
    <message numerus="yes">
        <source>%n finding(s)</source>
        <translation>
            <numerusform>%n finding</numerusform>
            <numerusform>%n findings</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>seedbed::ui::DuelPage</name>
    <message numerus="yes">
        <source>The games of the score begin with %n random decision(s), as in the league; the game above does not.</source>
        <translation>
            <numerusform>The games of the score begin with %n random decision, as in the league; the game above does not.</numerusform>
            <numerusform>The games of the score begin with %n random decisions, as in the league; the game above does not.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>seedbed::ui::Explained</name>
    <message numerus="yes">
        <source>%n run(s): %1; seeds: %2; scores: %3.</source>
        <translation>
            <numerusform>%n run: %1; seeds: %2; scores: %3.</numerusform>
            <numerusform>%n runs: %1; seeds: %2; scores: %3.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n run(s), at least %1 of each task, with the mean return of each run (%2 episodes).</source>
        <translation>
            <numerusform>%n run, at least %1 of each task, with the mean return of each run (%2 episodes).</numerusform>
            <numerusform>%n runs, at least %1 of each task, with the mean return of each run (%2 episodes).</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>seedbed::ui::ExportPage</name>
    <message numerus="yes">
        <source>Verified and written: %n file(s) in %1, in %2.</source>
        <translation>
            <numerusform>Verified and written: %n file in %1, in %2.</numerusform>
            <numerusform>Verified and written: %n files in %1, in %2.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>seedbed::ui::FleetWatch</name>
    <message numerus="yes">
        <source>%1, lost %n time(s)</source>
        <comment>state of an actor</comment>
        <translation>
            <numerusform>%1, lost %n time</numerusform>
            <numerusform>%1, lost %n times</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n group(s) are waiting for an actor.</source>
        <translation>
            <numerusform>%n group is waiting for an actor.</numerusform>
            <numerusform>%n groups are waiting for an actor.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>seedbed::ui::GroupRows</name>
    <message numerus="yes">
        <source>Queue %n more seed(s)</source>
        <translation>
            <numerusform>Queue %n more seed</numerusform>
            <numerusform>Queue %n more seeds</numerusform>
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
        <source>%n run(s) without finished episodes are not included.</source>
        <translation>
            <numerusform>%n run without finished episodes is not included.</numerusform>
            <numerusform>%n runs without finished episodes are not included.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>seedbed::ui::ImportanceTable</name>
    <message numerus="yes">
        <source>%n run(s)</source>
        <translation>
            <numerusform>%n run</numerusform>
            <numerusform>%n runs</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n value(s) or range(s)</source>
        <translation>
            <numerusform>%n value or range</numerusform>
            <numerusform>%n values or ranges</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Each setting is measured alone, over %n run(s). The effects of settings that were varied together cannot be separated.</source>
        <translation>
            <numerusform>Each setting is measured alone, over %n run. The effects of settings that was varied together cannot be separated.</numerusform>
            <numerusform>Each setting is measured alone, over %n runs. The effects of settings that were varied together cannot be separated.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>seedbed::ui::LeagueList</name>
    <message numerus="yes">
        <source>%n member(s) added.</source>
        <translation>
            <numerusform>%n member added.</numerusform>
            <numerusform>%n members added.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n trained agent(s) joined.</source>
        <translation>
            <numerusform>%n trained agent joined.</numerusform>
            <numerusform>%n trained agents joined.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 has ended. %n version(s) of it joined.</source>
        <translation>
            <numerusform>%1 has ended. %n version of it joined.</numerusform>
            <numerusform>%1 has ended. %n versions of it joined.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>seedbed::ui::LeaguePage</name>
    <message numerus="yes">
        <source>%n member(s)</source>
        <translation>
            <numerusform>%n member</numerusform>
            <numerusform>%n members</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>games begin with %n random decision(s)</source>
        <translation>
            <numerusform>games begin with %n random decision</numerusform>
            <numerusform>games begin with %n random decisions</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>seedbed::ui::MachinesCard</name>
    <message numerus="yes">
        <source>%n waiting</source>
        <comment>groups without an actor</comment>
        <translation>
            <numerusform>%n waiting</numerusform>
            <numerusform>%n waiting</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>seedbed::ui::NeighbourBar</name>
    <message numerus="yes">
        <source>%n run(s) are paused: %1. Training continues when that ends.</source>
        <translation>
            <numerusform>%n run is paused: %1. Training continues when that ends.</numerusform>
            <numerusform>%n runs are paused: %1. Training continues when that ends.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>seedbed::ui::NextCard</name>
    <message numerus="yes">
        <source>%n more seed(s) would tell whether this was luck.</source>
        <translation>
            <numerusform>%n more seed would tell whether this was luck.</numerusform>
            <numerusform>%n more seeds would tell whether this was luck.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n more seed(s) are on their way.</source>
        <translation>
            <numerusform>%n more seed is on its way.</numerusform>
            <numerusform>%n more seeds are on their way.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n seeds with these settings have finished.</source>
        <translation>
            <numerusform>%n seeds with these settings has finished.</numerusform>
            <numerusform>%n seeds with these settings have finished.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>&amp;Queue %n seed(s)</source>
        <translation>
            <numerusform>&amp;Queue %n seed</numerusform>
            <numerusform>&amp;Queue %n seeds</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n run(s) were queued.</source>
        <translation>
            <numerusform>%n run was queued.</numerusform>
            <numerusform>%n runs were queued.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>seedbed::ui::OwnEnvPage</name>
    <message numerus="yes">
        <source>The check found %n problem(s).</source>
        <translation>
            <numerusform>The check found %n problem.</numerusform>
            <numerusform>The check found %n problems.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>seedbed::ui::PackCard</name>
    <message numerus="yes">
        <source>Downloads %n package(s), %1, from the Python package index; %2 installed.</source>
        <translation>
            <numerusform>Downloads %n package, %1, from the Python package index; %2 installed.</numerusform>
            <numerusform>Downloads %n packages, %1, from the Python package index; %2 installed.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>seedbed::ui::ParallelPlot</name>
    <message numerus="yes">
        <source>%n run(s) inside the ranges.</source>
        <translation>
            <numerusform>%n run inside the ranges.</numerusform>
            <numerusform>%n runs inside the ranges.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>seedbed::ui::ParallelView</name>
    <message numerus="yes">
        <source>%1 of %n run(s) inside the ranges.</source>
        <translation>
            <numerusform>%1 of %n run inside the ranges.</numerusform>
            <numerusform>%1 of %n runs inside the ranges.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n run(s); blue has the lowest score, orange the highest. Drag on an axis to select a range.</source>
        <translation>
            <numerusform>%n run; blue has the lowest score, orange the highest. Drag on an axis to select a range.</numerusform>
            <numerusform>%n runs; blue has the lowest score, orange the highest. Drag on an axis to select a range.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n more setting(s) differ; the tab Settings lists them.</source>
        <translation>
            <numerusform>%n more setting differ; the tab Settings lists it.</numerusform>
            <numerusform>%n more settings differ; the tab Settings lists them.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>seedbed::ui::PopulationPage</name>
    <message numerus="yes">
        <source>%n member(s)</source>
        <translation>
            <numerusform>%n member</numerusform>
            <numerusform>%n members</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>seedbed::ui::QueuePage</name>
    <message numerus="yes">
        <source>%n running</source>
        <translation>
            <numerusform>%n running</numerusform>
            <numerusform>%n running</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n queued</source>
        <translation>
            <numerusform>%n queued</numerusform>
            <numerusform>%n queued</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Remove %n run(s) from the queue</source>
        <translation>
            <numerusform>Remove %n run from the queue</numerusform>
            <numerusform>Remove %n runs from the queue</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n paused</source>
        <translation>
            <numerusform>%n paused</numerusform>
            <numerusform>%n paused</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n run(s) removed from the queue.</source>
        <translation>
            <numerusform>%n run removed from the queue.</numerusform>
            <numerusform>%n runs removed from the queue.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>seedbed::ui::RunMonitor</name>
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
        <source>%n run(s) training</source>
        <translation>
            <numerusform>%n run training</numerusform>
            <numerusform>%n runs training</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n run(s) were interrupted. Their last checkpoints are saved, and they can be resumed from there.</source>
        <translation>
            <numerusform>%n run was interrupted. Its last checkpoint is saved, and it can be resumed from there.</numerusform>
            <numerusform>%n runs were interrupted. Their last checkpoints are saved, and they can be resumed from there.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n run(s) stopped</source>
        <translation>
            <numerusform>%n run stopped</numerusform>
            <numerusform>%n runs stopped</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>seedbed::ui::RunTableView</name>
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
        <source> (%n of them hidden by the filter)</source>
        <translation>
            <numerusform> (%n of them hidden by the filter)</numerusform>
            <numerusform> (%n of them hidden by the filter)</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n run(s) restored from the archive.</source>
        <translation>
            <numerusform>%n run restored from the archive.</numerusform>
            <numerusform>%n runs restored from the archive.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n run(s) in progress were not moved to trash; stop them first.</source>
        <translation>
            <numerusform>%n run in progress was not moved to trash; stop it first.</numerusform>
            <numerusform>%n runs in progress were not moved to trash; stop them first.</numerusform>
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
        <source>%n run(s) archived.</source>
        <translation>
            <numerusform>%n run archived.</numerusform>
            <numerusform>%n runs archived.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n run(s) moved to trash.</source>
        <translation>
            <numerusform>%n run moved to trash.</numerusform>
            <numerusform>%n runs moved to trash.</numerusform>
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
        <source>%n more group(s) do not fit into the legend; the table lists them.</source>
        <translation>
            <numerusform>%n more group does not fit into the legend; the table lists it.</numerusform>
            <numerusform>%n more groups do not fit into the legend; the table lists them.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n run(s) omitted: no such setting, or no value yet.</source>
        <translation>
            <numerusform>%n run left out: no such setting, or no value yet.</numerusform>
            <numerusform>%n runs left out: no such setting, or no value yet.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>seedbed::ui::StartPage</name>
    <message numerus="yes">
        <source>%n run(s) queued behind other runs. Set how many train at a time on the queue page.</source>
        <translation>
            <numerusform>%n run queued behind other runs. Set how many train at a time on the queue page.</numerusform>
            <numerusform>%n runs queued behind other runs. Set how many train at a time on the queue page.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n run(s) queued</source>
        <translation>
            <numerusform>%n run queued</numerusform>
            <numerusform>%n runs queued</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>seedbed::ui::ThoughtStrip</name>
    <message numerus="yes">
        <source>and %n more</source>
        <translation>
            <numerusform>and %n more</numerusform>
            <numerusform>and %n more</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>seedbed::ui::TrainLeagueDialog</name>
    <message numerus="yes">
        <source>%n agent(s) in all.</source>
        <translation>
            <numerusform>%n agent in all.</numerusform>
            <numerusform>%n agents in all.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n agent(s) in all, each about %1 on this computer.</source>
        <translation>
            <numerusform>%n agent in all, each about %1 on this computer.</numerusform>
            <numerusform>%n agents in all, each about %1 on this computer.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>seedbed::ui::VerdictStrip</name>
    <message numerus="yes">
        <source>Queue %n run(s)</source>
        <translation>
            <numerusform>Queue %n run</numerusform>
            <numerusform>Queue %n runs</numerusform>
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
    <message numerus="yes">
        <source>%n step(s) back</source>
        <translation>
            <numerusform>%n step back</numerusform>
            <numerusform>%n steps back</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 + %n branch(es)</source>
        <translation>
            <numerusform>%1 + %n branch</numerusform>
            <numerusform>%1 + %n branches</numerusform>
        </translation>
    </message>
</context>
</TS>
