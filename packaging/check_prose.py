#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Finds unidiomatic English in comments, string literals and documentation.

Prints one line per finding: file:line, the phrase, and what to write instead. Exits 1 when there is any.

usage: check_prose.py [--summary] [--root FOLDER] [PATH...]
"""

import argparse
import io
import re
import sys
import tokenize
from pathlib import Path

SKIPPED = {
    "build",
    ".git",
    ".cache",
    "__pycache__",
    "LICENSES",
    "corpus",
    "results",
    "translations",
    "traces",
}
# The list itself and its tests quote what they forbid; settings.md is generated from string literals.
NOT_PROSE = {"packaging/check_prose.py", "tests/tree/check_prose_test.py", "docs/reference/settings.md"}
CXX = {".cpp", ".hpp", ".h", ".inl", ".c"}
TEST_NAME = re.compile(r"^(?:TYPED_)?TEST(?:_[FP])?\(\w+,\s*(\w+)\)", re.MULTILINE)
CXX_TOKEN = re.compile(
    r"""//[^\n]*|/\*.*?\*/|(?:u8|[uUL])?R"(?P<tag>[^(\s]*)\(.*?\)(?P=tag)"|"(?:\\.|[^"\\\n])*"|'(?:\\."
    r"|[^'\\\n])+'""",
    re.DOTALL,
)


# (pattern, what to write instead). Patterns ignore case.
PHRASES = [
    # running, waiting, stopping
    (r"(?:go|goes|going|went) on\b", "continue, resume"),
    (r"(?:is|are|was|were|be|keeps?|still) going\b(?! to\b)", "is running, is in progress"),
    (
        r"(?:that|which|runs?|it|they|still) go(?:es)?(?=[.,;:)]|$| and\b| while\b| no more)",
        "runs, is running",
    ),
    (r"while (?:it|they|a run|the run|runs) go(?:es)?\b", "while it runs"),
    (r"go(?:es)? (?:into|away|along|by|no)\b", "is written to, disappears, belongs to, follows"),
    (r"anew|afresh|again and again", "again, from the beginning, repeatedly"),
    (r"at rest|rests(?= until| or|[.,;:)]|$)|(?:it|group|run|that) rests", "is idle, is paused"),
    (r"let(?:s|ting)? go\b", "release, detach"),
    (r"hangs? up|hung up", "closes the connection"),
    (
        r"(?:process|program|player|window|command|scheduler|thread|worker)(?:es|s)? (?:has |have "
        r"|had )?end(?:s|ed)?"
        r"(?= |[.,;:)]|$)(?! (?:of|to|with)\b)",
        "exits, stops",
    ),
    (r"for good|for ever", "permanently, forever"),
    (r"(?:next|last|first|each|another|every) try\b", "attempt"),
    (r"try anew|tries anew", "retry"),
    (r"in (?:this|that|the same) (?:very )?moment", "at this moment, now"),
    (
        r"(?:return|start|end|stop|exit|fail|appear|refuse|come|save|send|read|answer|draw|tak)(?:e?s|ed"
        r"|e|ing|en)? at once",
        "immediately",
    ),
    (r"gone meanwhile|meanwhile(?=[.,;:)]|$)", "in the meantime, concurrently"),
    (
        r"no more(?! (?:than|\w+ (?:than|is|are|can))\b)(?=[.,;:)]|$| and| by| in| when)",
        "no longer, not any more",
    ),
    # people instead of parts of the program
    (r"whoever|whomever", "the caller, the user, any thread"),
    (r"nobody|somebody|everybody|anybody", "no caller, another process, the user, any thread"),
    (r"those who|to who\b|for who\b", "callers, users, threads that"),
    (r"told(?! apart)", "notified, logged, passed, requested"),
    (
        r"tells?(?! apart)(?: the| its| of| us| when| how| what| that| which|s)?(?= )",
        "reports, notifies, shows, describes",
    ),
    (r"(?:told|tells?|telling) apart|(?:told|tells?) \w+ apart", "distinguish"),
    (
        r"(?<!message )(?<!error )(?<!text )(?<!paper )(?<!comment )says|(?:is|are|was|were|be) said",
        "reports, states, shows, documents",
    ),
    (r"to say\b|say(?:s)? so|not say|may say|say (?:what|which|nothing|of)\b", "reports, states, documents"),
    (r"announc(?:e|es|ed|ing)", "reports, notifies, publishes"),
    (r"obey(?:s|ed|ing)?", "applies, handles"),
    (
        r"(?:is|are|was|were|be|been) asked\b|asked for\b|asks? for\b|asked (?:of|last|first)\b",
        "requested, queried, called",
    ),
    (r"hears?|heard", "receives, is notified of"),
    (r"speaks?|spoken", "uses, writes, refers to"),
    (r"think(?:s|ing)?|thought", "estimates, computes"),
    (r"wish(?:es|ed)?", "request"),
    (r"believed?|believes", "trust, accept, assume"),
    (r"in the hands? of|nobody's|everybody's", "owned by"),
    (r"patien(?:ce|t)", "timeout, retry limit"),
    (r"mood|behind (?:our|its|the) back", "(say literally what changes)"),
    (r"knows? (?:of|nothing)\b", "depends on, supports, has access to"),
    (r"does (?:not|without) mind|minds\b", "accepts"),
    # places instead of relations
    (
        r"(?<!if )(?:there|here) (?:is|are|was|were) none|where there (?:is|are) no(?:ne)?\b",
        "otherwise, if ... is missing, none",
    ),
    (r"(?:that|which|it|they|this|what) (?:is|are|was|were) none\b", "is not a ..."),
    (r"(?:is|are|was|were) (?:there|here)(?=[.,;:)]|$)", "exists, is available, is present"),
    (r"what there (?:is|are)|that there (?:is|are)(?=[.,;:)]|$)", "the existing ..."),
    (r"(?:is|are|was|were) gone", "no longer exists, has exited, was deleted"),
    (r"stands?(?! (?:for|in for|out|alone)\b)(?!-)|stood", "is, is in, contains"),
    (
        r"lies?(?! on\b)(?! (?:in|within|outside|inside|between|above|below) (?:\[|one |the (?:range"
        r"|interval|line)|bounds|-?\d|both|zero))"
        r"|lay(?= in| on| beside| there)",
        "is, is in, is stored in",
    ),
    (r"beside", "next to, alongside, in addition to"),
    (r"besides", "also, in addition, otherwise"),
    (r"(?<!without )carr(?:y|ies|ied)(?! (?:out|over|bit|flag|object))", "contains, stores"),
    (r"brings?(?! (?:back|up)\b)|brought(?! (?:back|up)\b)", "provides, adds, installs, restores"),
    (r"no place for|have a place|has a place|place for\b", "cannot represent, room for, supports"),
    (r"puts? aside|put(?:ting)? aside|set aside|sets aside", "set apart, move to the trash, defer"),
    (r"hand(?:ed|s)? (?:over|out|on|down|through)\b|handed (?:to|in|back)\b", "pass, return"),
    (
        r"tak(?:e|es|en|ing) in(?=[.,;:)]|$| (?:a |the )?(?:whole|run|polic|from|rows|file|cop|by|again"
        r"|now|here|what|with|without))",
        "import, read, accept",
    ),
    (r"tak(?:e|es|en|ing) (?:no )?part\b", "is included, is used, participates"),
    (r"giv(?:e|es|en|ing) (?:back|out|away)", "return, release"),
    (r"tak(?:e|es|en|ing) back", "revert, undo"),
    (r"throw(?:s|n)? away", "discard"),
    (
        r"look(?:s|ed|ing) at|(?:next|last|first|a|each|every|one) look\b|looks (?:after|takes|into)",
        "reads, checks, examines; poll",
    ),
    (r"half[- ](?:made|written|done|finished|ready)", "incomplete, partial"),
    (r"in the making|being made", "incomplete, under construction"),
    (r"in force|inforce", "current, in effect"),
    # words
    (r"mend(?:s|ed|ing)?", "fix, repair"),
    (r"seldom", "rarely"),
    (r"but for\b", "except"),
    (r"all the same", "anyway"),
    (r"at all(?= the same)", "anyway"),
    (r"lonely", "isolated, single"),
    (
        r"so (?:many|much)(?! \w+ that\b)(?! that\b)|after so long|for so long|so often(?! that)"
        r"|at most so\b",
        "this many, at most N (name the number)",
    ),
    (r"(?:do|does|did|goes|doing) without", "does not need, is optional, omits"),
    (r"means? nothing|for nothing|from nothing|nothing of\b", "is ignored, only, has no effect"),
    (r"the like|such things?|and such\b", "similar"),
    (
        r"what it is|what (?:\w+ ){1,3}(?:holds|stands|lies|carries|needs|says|has)\b",
        "its contents (name the thing)",
    ),
    (r"(?:is|are|was|were) (?:told|taken|thought|held) (?:of|for)\b", "(say it directly)"),
    (
        r"(?<!there )(?<!that )(?<!has )(?:is|are|was|were) no (?!longer|such|more|better|worse|other"
        r"|need|way|point|less|later|"
        r"greater|larger|smaller|earlier|limit|room|different|sooner|newer|op\b)[a-z]+",
        "is not a ...",
    ),
    (
        r"comes? (?:to|along|by)(?= (?:an end|rest|nothing|the same|it|this|that|as|in|lie|stand|wait"
        r"|work)|[.,;:)]|$)",
        "amounts to, reaches",
    ),
    (r"foreign(?! key)", "third-party, external, of another program"),
    (
        r"the (?:least|greatest)\b(?! (?:common|squares))|greatest|least(?= [xy]\b| step)",
        "minimum, maximum, smallest, largest",
    ),
    (r"an? [\w-]+ of (?:its|their|our|your|his) own", "its own ..., a separate ..."),
    (
        r"(?:null|nullopt|empty|nothing|none|0|false|nan|\"\") without (?:one|any|it)\b|without (?:one"
        r"|any)(?=[.,;:)]|$)",
        "if there is none, if absent",
    ),
    (r"as (?:the |its |a )?[\w']+ says?\b", "according to"),
    (r"what of\b", "which of, the part of"),
    (r"not-a-number", "NaN"),
    (
        r"equally far|(?:so|as|how) far (?:as )?(?:it|they|runs?) (?:is|are|has|have|goes|go|got|gets)\b",
        "progress, steps completed",
    ),
    (r"put right|set right|sets? going|set going", "correct; start"),
    (r"shows? itself|finds? itself|makes? itself", "(passive or literal verb)"),
    (r"what (?:was|is) done|what (?:was|is) to be done", "the result, the work, the change"),
    (r"one types|one wants|one sees|if one\b|when one\b(?= \w+s\b)", "the user"),
    (
        r"wakes? (?:whoever|who)|who wakes|who waits|who reads|who writes|who calls|who owns",
        "the thread that",
    ),
    (r"neither is\b|nor does it", "(two plain sentences)"),
    (r"under a name of", "with its own name"),
    (r"for the rest\b|the rest of it", "otherwise"),
    (r"of old\b|by and by|in vain|thereof|therein|ought to|shall", "(plain modern word)"),
    (r"another (?:[\w'-]+ ){1,4}than|other (?:\w+ ){1,2}than", "a different ... from, other than"),
    (r"from elsewhere|chance exploration|inner part of", "third-party, untrusted; random; internal to"),
    (r"blanks\b", "spaces"),
    (r"some (?:hundred|thousand|seconds|minutes|hours|per ?cent)", "a few, about"),
    (
        r"now and then|in the midst|in reach of|by the hand of|standstill",
        "occasionally, during, accessible to, deadlock",
    ),
    (r"(?:must|still) live\b|while (?:it|this|they) lives?\b", "must be valid, during its lifetime"),
    (r"tak(?:e|es|en|ing) (?:the|its|their) places?(?: of)?\b", "replaces"),
    (r"(?:is|are|was|were|not|if|when) wanted", "requested, needed"),
    (r"heals|healed", "recovers"),
    (r"stretch(?:es)? of", "range, group, interval"),
    (r"taken for\b", "mistaken for"),
    (r"kept inputs?", "stored input"),
    (r"\w+s of (?:its|their) own(?! \w)", "its own ..., separate ..."),
    (r"in turns\b(?! of)", "turn-based, alternately"),
    (r"wait(?:s|ing)? at (?:\w+ ){0,3}(?:address|port)", "listens on"),
    (r"mov(?:e|ed|ing) it away", "move it elsewhere"),
    (r"of no (?:use|value)\b", "cannot be used, useless"),
    (r"tried again", "retried"),
    (r"other random\b", "different random"),
    (
        r"(?:program|host|constructor|form|window|filter|caller|environment|gymnasium) knows",
        "supports, defines, contains",
    ),
    (r"for people\b", "for users"),
    (r"nothing here\b|nothing reads\b", "no code here, no code reads"),
    (r"made up for", "caught up, compensated"),
    (r"an? [\w-]+ [\w-]+ of (?:its|their) own", "a separate ..."),
]
# At the beginning of a sentence; case matters.
OPENINGS = [
    (r"(?:One|Those|That|Others|Some|This) (?:that|who|which|of which)\b", "begin with the noun"),
    (r"(?:Who|Whose|Whom)\b(?![^.]*\?)", "begin with the noun: callers, threads, users"),
    (r"(?:But|And|Nor) for\b", "Except for"),
    (r"Such as\b", "For example"),
    (r"(?:Also|Only) those\b", "begin with the noun"),
]
# At the beginning of a comment.
HEADS = [(r"What (?!if\b)(?![^.]*\?)", "begin with the noun or the verb, not with a \"What ...\" clause")]


def compiled():
    """(filter, rule, advice). A passage has findings only if the filter, which is much faster, matches its
    text in lower case."""
    rules = [
        (
            re.compile(pattern, re.MULTILINE),
            re.compile(r"\b(?:" + pattern + r")(?!\w)", re.IGNORECASE),
            advice,
        )
        for pattern, advice in PHRASES
    ]
    every = re.compile("")
    rules += [
        (every, re.compile(r"(?:(?<=^)|(?<=[.:;] ))" + pattern), advice) for pattern, advice in OPENINGS
    ]
    return rules


class Passage:
    """Consecutive comment lines or adjacent string literals: the words, and the line of each character."""

    def __init__(self, kind):
        self.kind = kind
        self.text = ""
        self.lines = []

    def add(self, text, line, separator=" "):
        if self.text and separator:
            self.text += separator
            self.lines.append(line)
        first, *others = text.split("\n")
        self.text += text.replace("\n", " ")
        self.lines += [line] * len(first)
        for number, other in enumerate(others, line + 1):
            self.lines += [number] * (len(other) + 1)


def cxx_passages(text):
    passages = []
    current, end = None, 0
    line, counted = 1, 0
    for match in CXX_TOKEN.finditer(text):
        token = match.group(0)
        if token.startswith("'"):
            continue
        line += text.count("\n", counted, match.start())
        counted = match.start()
        between = text[end : match.start()]
        end = match.end()
        if token.startswith("//"):
            words = re.sub(r"^//+<?\s*", "", token)
            if not (
                current and current.kind == "comment" and between.count("\n") == 1 and not between.strip()
            ):
                current = Passage("comment")
                passages.append(current)
            current.add(words, line)
        elif token.startswith("/*"):
            current = Passage("comment")
            passages.append(current)
            current.add(token[2:-2], line)
        else:
            if token.startswith('"'):
                words = re.sub(r"\\[nt]", "  ", token[1:-1])
            else:
                words = token[token.index("(") + 1 : -len(match.group("tag")) - 2]
            if not (current and current.kind == "string" and not between.strip()):
                current = Passage("string")
                passages.append(current)
            current.add(words, line, "")
    for match in TEST_NAME.finditer(text):
        name = Passage("comment")
        words = " ".join(re.findall(r"[A-Z][a-z]*|[0-9]+", match.group(1)))
        name.add(words[:1] + words[1:].lower(), text.count("\n", 0, match.start()) + 1)
        passages.append(name)
    return passages


def python_passages(text):
    passages = []
    last_line, current = 0, None
    try:
        tokens = list(tokenize.generate_tokens(io.StringIO(text).readline))
    except (tokenize.TokenError, IndentationError, SyntaxError):
        return passages
    for token in tokens:
        if token.type == tokenize.COMMENT:
            if not (current and token.start[0] == last_line + 1):
                current = Passage("comment")
                passages.append(current)
            current.add(token.string.lstrip("# "), token.start[0])
            last_line = token.start[0]
        elif token.type == tokenize.STRING:
            current = Passage("string")
            passages.append(current)
            current.add(token.string.strip("rbfu\"'"), token.start[0])
            current, last_line = None, 0
    return passages


def markdown_passages(text):
    passages = []
    fenced = False
    current = None
    for number, line in enumerate(text.splitlines(), 1):
        if line.lstrip().startswith("```"):
            fenced = not fenced
            current = None
            continue
        if fenced or not line.strip():
            current = None
            continue
        if current is None:
            current = Passage("comment")
            passages.append(current)
        current.add(re.sub(r"`[^`]*`", lambda m: "`" + "x" * (len(m.group(0)) - 2) + "`", line), number)
    return passages


def shell_passages(text):
    passages = []
    for number, line in enumerate(text.splitlines(), 1):
        passage = Passage("comment" if line.lstrip().startswith("#") else "string")
        passage.add(line, number)
        passages.append(passage)
    return passages


def passages_of(path, text):
    suffix = Path(path).suffix
    if suffix in CXX:
        return cxx_passages(text)
    if suffix == ".py":
        return python_passages(text)
    if suffix == ".md":
        return markdown_passages(text)
    return shell_passages(text)


def is_prose(passage):
    """A string literal is prose if it has at least two words; SQL is not."""
    if passage.kind == "comment":
        return not re.match(r"\s*namespace", passage.text)
    if re.match(
        r"\s*(?:SELECT|INSERT|UPDATE|DELETE|CREATE|WITH|WHERE|PRAGMA|ALTER|DROP|FROM|ORDER|AND|JOIN)\b",
        passage.text,
    ):
        return False
    return len(re.findall(r"[A-Za-z]{2,}", passage.text)) >= 2


def prose_in(path, text):
    """The passages that are prose."""
    return [passage for passage in passages_of(path, text) if is_prose(passage)]


def findings_in(path, passages, rules):
    """(line, phrase, advice) of each finding, in the order of lines."""
    found = []
    lower = "\n".join(passage.text for passage in passages).lower()
    rules = [(rule, advice) for filter, rule, advice in rules if filter.search(lower)]
    for passage in passages:
        taken = []
        candidates = [(match, advice) for rule, advice in rules for match in rule.finditer(passage.text)]
        if passage.kind == "comment" and Path(path).suffix in CXX:
            words = re.sub(r"^SPDX\S* \S+ ", "", passage.text)
            skip = len(passage.text) - len(words)
            candidates += [
                (match, advice)
                for head, advice in HEADS
                for match in [re.compile(head).match(passage.text, skip)]
                if match
            ]
        for match, advice in sorted(candidates, key=lambda c: (c[0].start(), -c[0].end())):
            if taken and match.start() < taken[-1]:
                continue  # one finding per place
            taken.append(match.end())
            found.append((passage.lines[match.start()], match.group(0).strip(), advice))
    return sorted(found)


def prose_lines(passages):
    """The number of lines with prose, from which rates are computed."""
    return len({line for passage in passages for line in passage.lines})


def files_of(root, chosen):
    for path in sorted(root.rglob("*")):
        relative = path.relative_to(root)
        if not path.is_file() or SKIPPED.intersection(relative.parts) or relative.as_posix() in NOT_PROSE:
            continue
        if chosen and not any(
            relative.as_posix() == c or relative.as_posix().startswith(c.rstrip("/") + "/") for c in chosen
        ):
            continue
        if path.suffix in CXX | {".py", ".md", ".sh", ".cmake"} or path.name == "CMakeLists.txt":
            yield relative.as_posix(), path


def folder_of(path):
    parts = path.split("/")[:-1]
    return "/".join(parts[:2]) or "."


def check(root, chosen=()):
    """[(path, line, phrase, advice)] and {folder: lines of prose}."""
    rules = compiled()
    found, lines = [], {}
    for relative, path in files_of(root, chosen):
        passages = prose_in(relative, path.read_text(encoding="utf-8", errors="replace"))
        found += [(relative, *finding) for finding in findings_in(relative, passages, rules)]
        lines[folder_of(relative)] = lines.get(folder_of(relative), 0) + prose_lines(passages)
    return found, lines


def summarise(found, lines):
    count = {folder: 0 for folder in lines}
    for path, *_ in found:
        count[folder_of(path)] += 1
    print(f"{'folder':<28} {'findings':>8} {'lines':>7} {'per 100':>8}")
    for folder in sorted(lines, key=lambda f: -count[f]):
        print(
            f"{folder:<28} {count[folder]:>8} {lines[folder]:>7}"
            f" {100 * count[folder] / max(lines[folder], 1):>8.1f}"
        )
    total = sum(lines.values())
    print(f"{'all':<28} {len(found):>8} {total:>7} {100 * len(found) / max(total, 1):>8.1f}")


def main():
    parser = argparse.ArgumentParser(
        description="Finds unidiomatic English in comments, string literals and documentation."
    )
    parser.add_argument(
        "paths", nargs="*", metavar="PATH", help="files or folders relative to the root (default: all)"
    )
    parser.add_argument("--root", type=Path, default=Path(__file__).resolve().parent.parent)
    parser.add_argument(
        "--summary", action="store_true", help="print findings per 100 lines of prose by folder only"
    )
    arguments = parser.parse_args()
    found, lines = check(arguments.root, arguments.paths)
    if arguments.summary:
        summarise(found, lines)
    else:
        for path, line, phrase, advice in found:
            print(f"{path}:{line}: \"{phrase}\": {advice}")
        total = sum(lines.values())
        print(
            f"{len(found)} findings in {total} lines of prose"
            f" ({100 * len(found) / max(total, 1):.1f} per 100)"
        )
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
