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
    <name>seedbed::ui::CustomizeView</name>
    <message numerus="yes">
        <source>Changed &amp;only (%n)</source>
        <translation>
            <numerusform>Changed &amp;only (%n)</numerusform>
            <numerusform>Changed &amp;only (%n)</numerusform>
        </translation>
    </message>
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
