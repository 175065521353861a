/** A sign that a sentence shows: a meaning that its words have, or its form. */
export type Sign = (typeof SIGNS)[number][0] | keyof typeof MEASURES;

// Words of one meaning stand in one line, so that weights learned from many sentences of one language hold in the others.
// The second form is for words in Chinese, Japanese and Korean, and is not asked where a sentence has none.
const SIGNS = [
  [
    "cause",
    /\broot cause\b|\bculprit\b|\bthe (?:real |actual )?(?:cause|reason)\b/i,
    /原因|元凶|根因|源于|원인|이유는/u,
  ],
  [
    "trouble",
    /\b(?:the|an?|another) (?:\w+ )?(?:issue|problem|bug|catch|gap|trap|trouble|limitation|pitfall|gotcha)\b[^.]{0,30}\b(?:is|was|were|comes?|came)\b/i,
    /(?:問題|不具合|バグ|落とし穴|罠)(?:は|が|だっ|でし)|(?:问题|故障|漏洞|坑)(?:是|在于|出在|就是|的)|(?:문제|버그|함정|장애)(?:는|은|가|였|이었)/u,
  ],
  [
    "because",
    /\b(?:because|since|due to|caused by|thanks to|as a result of|stems? from|comes? from)\b/i,
    /(?:ため|ので|せい)(?:[、。に`\s]|$)|から[、。]|によ(?:り|って|る)|因为|由于|因[^此而]|为了|때문|탓에|으로 인해|(?:해서|어서|아서|라서|므로)[ ,]/u,
  ],
  [
    "repair",
    /\b(?:fixed|mended|solved|resolved|cured|addressed) (?:it |this |that )?(?:by|with|in)\b|\bthe fix\b|\bfix(?:ed)?:|\bworkaround\b/i,
    /(?:直し|直り|直った|解決し|解消し|修正し|回避し)|修复|解决|改成|改为|规避|(?:고쳤|고쳐|해결|수정했|우회)/u,
  ],
  [
    "consequence",
    /,\s*(?:so|which|where)\b|\bso that\b|\b(?:which|this|that) (?:means?|meant|makes?|made|breaks?|broke|causes?|caused)\b|\b(?:therefore|hence|thus|that['’]s why|as a result|otherwise|or else)\b|causing|leading to|resulting in/i,
    /そのため|したがって|ないと|なければ|結果|所以|因此|导致|否则|从而|就会|그래서|따라서|않으면|결과/u,
  ],
  [
    "denial",
    /n['’]t\b|\b(?:cannot|does not|do not|did not|is not|are not|was not|were not|never|no longer|without|neither|nor)\b/i,
    /ない|ません|なかっ|ずに|[れきせらわ]ず[、,]|不|没|无法|未|않|못하|못했|없[이는어었]|안 /u,
  ],
  [
    "only",
    /\b(?:only|solely|nothing but|just the|exclusively|at most|at least)\b/i,
    /のみ|だけ|しか|以外|只|仅|才会|만 |뿐|밖에/u,
  ],
  [
    "default",
    /\b(?:by default|defaults? to|the default|out of the box)\b/i,
    /デフォルト|既定|初期値|默认|缺省|기본(?:값|적)/u,
  ],
  [
    "must",
    /\b(?:must|requires?|required|has to|have to|had to|needs? (?:an?|the|write|read|to)|mandatory|may not|not allowed|expects?|expected)\b/i,
    /必要|なければな|べき|必须|需要|必需|要求|해야|필요|요구/u,
  ],
  [
    "always",
    /\b(?:always|every(?: time)?|each|never|whenever|any|all)\b/i,
    /必ず|常に|毎回|絶対|すべて|いつも|总是|每次|每个|永远|一定|所有|항상|반드시|매번|절대|모든|마다/u,
  ],
  [
    "contrast",
    /\b(?:but|however|instead of|rather than|although|even (?:if|though|when)|whereas|regardless|despite|yet|while the|except|unlike|mismatch|differ\w*|wrong|stale)\b|[,;—–] not (?:an?|the|in|on|by|to|from|for|just|only)\b/i,
    /ではなく|代わり|のに|しかし|一方|ものの|但|而不是|而非|却|尽管|即使|反而|지만|대신|아니라|반면|(?:는|은)데[ ,]/u,
  ],
  [
    "quiet",
    /\b(?:silent(?:ly)?|masks?|masked|masking|hid(?:es?|den|ing)|swallow\w*|ignor(?:es?|ed|ing)|skip(?:s|ped)|overwr\w+|overrid\w+|los(?:es?|t)|drops?|dropped|leaks?|leaked|corrupt\w*|stale|race|twice|duplicat\w+|truncat\w+|clobber\w*|blocked by)\b/i,
    /黙って|無視|上書き|二重|消え|漏れ|重複|静默|忽略|覆盖|丢失|泄露|重复|两次|무시|덮어|중복|두 번|사라|누락|유출/u,
  ],
  [
    "known",
    /\b(?:pre-?existing|known|flaky|limitation|unrelated to|false positive|by design|intentional(?:ly)?|deliberate(?:ly)?|on purpose|security restriction|not (?:a bug|supported))\b/i,
    /既知|仕様|意図的|以前から|あえて|已知|故意|设计如此|特意|有意|알려진|의도적|원래|일부러/u,
  ],
  [
    "condition",
    /\b(?:when|if|unless|until|while|after|before|once|as soon as|in (?:dev|prod|staging|production|tests?|ci))\b/i,
    /場合|とき|時に|後に|前に|(?:する|ある|なる)と[、]|如果|当|时[，,候]|的时候|之后|之前|一旦|经?过后|경우|(?:으면|하면|되면|려면|이면)|때[ ,에]|전에|후에/u,
  ],
  [
    "choice",
    /\b(?:decided|decision|chose|chosen|opted|went with|settled on|we (?:keep|stay|agreed)|rejected|declined|right call)\b/i,
    /採用|決め(?:た|ました)|決定|選ん|見送|决定|采用|选用|放弃|不采用|沿用|결정|채택|하기로|쓰기로|보류/u,
  ],
  [
    "place",
    /\b(?:lives? (?:in|at|on|under)|stored (?:in|as|under|at)|located|kept (?:in|under)|runs? on|points? (?:at|to)|connects? to|deployed (?:to|by|from|with)|comes? from|read(?:s)? (?:from|only|the)|writes? to|served from|listens? on)\b/i,
    /にあ(?:る|り)|に置|に保存|で動|放在|位于|存(?:放|储)?在|运行在|读取|写入|에 있|에 저장|에 두|에서 실행|에서 읽/u,
  ],
  [
    "way",
    /(?:\bto (?:run|deploy|release|start|build|test|reset|restore|publish|regenerate|migrate|debug|rotate)\b|\b(?:run|deploy|start|build|test|release) (?:it |them )?(?:with|by|through|via)\b).*`/i,
    /`[^`]+`[^`]{0,20}(?:で(?:実行|起動|デプロイ|ビルド)|を実行)|(?:运行|执行|部署|启动|发布)[^。]{0,20}`|`[^`]+`[^`]{0,12}(?:로|으로|를|을) (?:실행|배포|빌드|시작)/u,
  ],
  // Signs against: guesses, plans, orders, tales of what was just done, pointers to something outside the sentence.
  [
    "guess",
    /\b(?:might|may|maybe|perhaps|probably|likely|possibly|seems?|seemed|appears? (?:to|that|as)|appeared (?:to|that|as)|could (?:be|mean|also)|looks? like|suggests?|i (?:think|believe|guess|suspect|assume)|presumably|not sure|wonder\w*|unclear|suspect\w*)\b/i,
    /かもしれ|でしょう|だろう|ようです|ようだ|みたい|と思|はず(?:です|だ|。)|おそらく|たぶん|可能(?:是|会|在|因)|也许|似乎|好像|应该(?:是|会|就)|大概|估计|看起来|것 같|듯(?:합|하|싶)|수도 있|아마|(?:으로|로) 보(?:입|이)/u,
  ],
  [
    "plan",
    /^(?:looking|trying|checking|searching|reading|double-checking) |\b(?:let me|let['’]s|let us|i['’]ll|i will|i['’]m (?:going|now)|going to|gonna|i (?:need|want|have) to|we (?:need|can|could|should|will)|^next\b|\bnext steps?\b|now (?:i|let|we|the)|todo|needs? (?:fix|review|investigation|updating|reverting|correction|an? (?:fix|exception))|will (?:now|then|try|be)|should (?:now|be|work|also|i|we|force|match))\b/i,
    /(?:し|み|行い|進め|始め|直し|調べ|確認し|加え|書き|させ)ます[。：:]?$|ましょう|てみ(?:る|ます)|(?:してみ|見て)|我(?:来|将|会|先|再|现在|去|要)|让我|接下来|先(?:看|检查|确认|把)|(?:겠습니다|볼게요|할게요|하겠|해보|봅시다|합시다)/u,
  ],
  ["speaker", /\b(?:i|i['’]ve|i['’]d|i['’]m|me|my)\b/i, /私|僕|我(?!们)|(?:제가|저는|내가)/u],
  [
    "reader",
    /\b(?:you|you['’]re|you['’]ll|you['’]d|you['’]ve|please|make sure|the user (?:wants|asked|said))\b/i,
    /あなた|ください|您|你|请|(?:세요|주세요|십시오)/u,
  ],
  [
    "proposal",
    /\b(?:would|could|can (?:either|also|use)|option|options|recommend\w*|suggest\w*|consider|alternative(?:ly)?|better to|best bet|safest|simplest|cleanest|propos\w+|if you)\b/i,
    /提案|おすすめ|案\s*\d|(?:いかが|どうで)|建议|推荐|方案|可以(?:考虑|用|选)|제안|추천|방안|어떨/u,
  ],
  [
    "change",
    /\b(?:renamed|moved|switched|migrated|reversed|flipped|replaced)\b[^.]{0,80}\b(?:from|to|with|into|by)\b/i,
    /から[^。]{1,40}(?:に|へ)(?:変更|移行|移動|改名)|(?:改名|迁移|移动|切换)(?:到|为|成)|(?:으로|로) (?:변경|이동|이전|바뀌)/u,
  ],
  [
    "behaviour",
    /\bnow (?:also |only |always |automatically |correctly |both )*(?!pass|work|build|compile|match|look|ha[sv]|need)[a-z]{2,}s\b|\b(?:automatically|implicitly|internally|under the hood)\b/i,
    /自動的に|ようになっ|自动|会自动|자동으로|자동 /u,
  ],
  [
    "state",
    /\b(?:is|are|isn['’]t|aren['’]t) (?:not |only |no longer |always )*(?:available|supported|unsupported|deprecated|disabled|enabled|read-only|immutable|idempotent|case-sensitive|scoped|keyed|ordered|shared|exposed|included|excluded|gitignored|generated|cached|called|invoked|loaded|stored|treated|mounted|inherited)\b/i,
    /(?:利用|使用)でき|対応して|(?:読み込まれ|呼ばれ|適用され|保存され|生成され|返して|になって)(?:る|ます|い)|不支持|支持|被(?:忽略|覆盖|调用|加载|缓存|当作)|지원(?:하|되)|(?:호출|로드|저장|생성|적용)(?:되|됩|된)/u,
  ],
  [
    "equals",
    /\b(?:refers? to|stands? for|resolves? to|maps? to|expands? to|evaluates? to|matches|counts? as|treat(?:s|ed) (?:it |them |this )?as|belongs? to|is the same as|equals?)\b/i,
    /を指(?:す|し)|として(?:扱|読)|を意味|指的是|等(?:于|同)|视为|当作|가리[키킵]|의미(?:하|합)|취급|간주/u,
  ],
  [
    "pointer",
    /^(?:this|that|these|those|it|its|they|them|here|there(?!(?:['’]s| is| are) no)|both|which|so|and|then|but|also|he|she|same|now|regardless|however|good|right|ok(?:ay)?|no|yes|again|note|still|instead|otherwise|everything|nothing|all|any|if|to|(?:since|because|as) (?:both|all|these|those|this|that|it|they|we|the (?:two|three|four|other|same))|the (?:test|check|fix|files?|changes?|edit|output|error|bot|claim|mock|second|first|other|latter|former|reliable|whole|failure|result|answer|component|prompt|function|method|code|script|plan|approach|idea|remaining|new|current|same|rest|following|above|next|last|unstaged|staged|LSP))\b/i,
    /^(?:これ|それ|この|その|ここ|そこ|上記|以下)|^(?:这|那|它|此|以上|以下)|^(?:이[ 는것게]|그[ 는것게]|여기|위의|아래)/u,
  ],
  [
    "deed",
    /^(?:(?:\*\*)?[^:]{2,60}: )?(?:\*\*)?(?:added|updated|removed|created|fixed|changed|made|replaced|deleted|declined|corrected|overrides? the|renamed|simplified|refactored|moved|committed|pushed|implemented|extracted|all|done|switched|wrote|ran|verified|confirmed|cleaned|skips?|preserves?|assigns?|refactor|checks?|looks?|uses?|missing|optional|sets?|returns?|prints?|creates?|wait|found|interesting|double-check|overrides?|removing|adding|updating)\b/i,
    /(?:追加|更新|作成|削除|変更|修正|実装|完了|コミット|確認)(?:し|いた)(?:ました|た)(?=[。、.!！\s]|$)|^已|已(?:经)?(?:添加|更新|完成|修改|删除|创建|提交|推送)|(?:추가|수정|삭제|생성|변경|완료|커밋|구현)(?:했|하였|됐|되었)/u,
  ],
  [
    "outcome",
    /[✅❌✓✗🎉]|\b(?:\d+ (?:passed|tests?|files?|commits?|failed|errors?)|all (?:\w+ )*(?:pass(?:ed|es)?|green|good)|tests? pass(?:ed|es)?|success(?:ful(?:ly)?)?|looks good|working tree|up to date|as expected|confirmed|confirms)\b/iu,
    /成功し|通りました|全て|通过|成功|통과|성공/u,
  ],
  [
    "ought",
    /\b(?:should|ought|worth (?:\w+ing|a))\b/i,
    /べき|ほうが(?:よ|良|い)|方が(?:よ|良|い)|と(?:良|よ)い|应该|应当|最好|해야 할|좋겠|좋을|는 게 좋|좋아(?:집|질|진)/u,
  ],
  [
    "lacks",
    /\b(?:missing|lacks?|lacking|not covered|no (?:unit |e2e )?tests? (?:for|that)|untested|unclear|inconsistent|incomplete|outdated|not (?:yet )?(?:tested|documented|validated|shown|listed|mentioned|covered|handled|zeroed))\b/i,
    /(?:含まれて|検証されて|示されて|活用されて|記載されて|考慮されて)い(?:ない|ません)|記載がない|不完全|偏って|矛盾|未対応|没有(?:覆盖|包含|说明|体现)|缺少|缺失|不一致|빠져|누락되|포함되어 있지|모호|불완전/u,
  ],
  [
    "fine",
    /\b(?:is|are|it['’]s|that['’]s) (?:still |also |already |just )?(?:fine|ok(?:ay)?|safe|correct|reasonable|right|good|well-scoped|appropriate|expected|untouched|unaffected|unchanged)\b|\b(?:as expected|still (?:works?|pass(?:es)?|holds?))\b|\bso (?:it|they|this|that) (?:correctly|still|already)\b|\b(?:risk|radius|impact|cost|overhead) is (?:\w+ )?(?:minimal|small|low|negligible|trivial)\b|\bno risk\b/i,
    /問題(?:は|も)?(?:ない|ありません|なし|なく)|正しい|(?:も|は|ので|から)、?安全(?:です|だ)|影響(?:は|も)?(?:ない|ありません)|(?:想定|期待)(?:どおり|通り)|没(?:有)?问题|(?:是|很)安全的?[。,，]?$|(?:没有|不受)影响|是正确的|符合预期|仍然(?:有效|可用|通过)|문제(?:는|가)? ?없|괜찮|안전(?:합니다|하다|해요)|영향(?:은|이|을)? ?(?:없|주지)|예상대로|여전히 (?:작동|동작|통과)/u,
  ],
  [
    "present",
    /\b(?:currently|right now|at the moment|today|now|earlier|already|still|just|for now|yet|so far|again)\b/i,
    /今(?:回|は|の)|現在|まだ|先ほど|一旦|目前|现在|刚才|还(?:没|是)|暂时|지금|현재|아직|방금|일단/u,
  ],
  ["ask", /[?？]\s*$/, /ですか|ますか|でしょうか|吗[。]?$|呢[。]?$|(?:까요|나요|인가요|습니까)/u],
  [
    "item",
    /^(?:[A-H][).] |(?:\*\*)?(?:line|issue|thread|section|step|option|part|item|task|phase|finding|pr|comment|case|problem|round|test|high|medium|low|minor|major|nit)\b\s*#?[\d.(:*])/i,
  ],
  [
    "passing",
    /\b(?:(?:is|are) (?:showing|failing|being|trying|getting|now|still)|just (?:fixed|added|changed|did|made)|unstaged|uncommitted|working tree|this (?:pr|branch|commit|session|run)|our (?:change|work|commit)s?|my changes?|(?:is|are) (?:clean|clear|fine|straightforward|correct|valid|redundant|ready|empty)|but (?:is |was |gets )?called with|takes? (?:\d|one|two|three|four) (?:args?|arguments?|parameters?)|(?:is|are) (?:defined|declared|used) (?:after|before)|(?:has|have) changed since|being used)\b|— (?:removed|added|fixed|replaced|changed|updated|needs)\b/i,
    /ステージング(?:は|が)?され|コミット(?:が|は)?(?:されて|作(?:成|られ)|完了)|未コミット|プッシュ(?:が|は)?され|(?:暂存|暂存区)|(?:未|没有|已)提交|스테이징(?:은|이|에)|커밋(?:이|은)? ?(?:되지|되었|안)/u,
  ],
  ["opens", /[:：]\s*(?:\*\*)?$/],
  ["table", /^\|/],
  [
    "gloss",
    /^(?:`[^`]+`|[\w./-]+) (?:—|–|--?|→|:) |\b(?:verif(?:y|ies)|tests? (?:that|for|case|covers?)|covers|asserts?)\b/u,
  ],
  ["heading", /^#{1,6}\s/],
  ["quote", /^[>"“「]/],
  [
    "imperative",
    /^(?:\*\*)?(?:check|run|click|copy|use|change|open|go|select|install|make|ensure|keep|add|set|try|remove|update|create|fix|see|look|give|push|pick|start|verify|test|write|read|move|replace)\b/i,
  ],
  ["labelled", /^(?:\*\*[^*]{3,60}\*\*|[A-Z][\w ]{2,30}:)/],
  [
    "past",
    /\b(?:was|were|had|did|failed|broke|used|kept|lacked|stored|missed|went|sent)\b/i,
    /(?:た|でした|ました)。?$|了|(?:었|았|였|했)/u,
  ],
  ["yours", /\byours?\b/i, /あなたの|您的|你的|당신의/u],
  ["works", /\b(?:works?|working)\b/i, /動作|正常工作|运作|작동/u],
  [
    "document",
    /\b(?:readme|docs?|documentation|specs?|plans?|todo|roadmap|sections?|comments?|adr)\b/i,
    /ドキュメント|仕様書|文档|文件说明|문서/u,
  ],
  [
    "environment",
    /\b(?:ci|docker|containers?|staging|production|deploy\w*|pipelines?|workflows?|github|actions?|postgres|database|redis|npm|pnpm|yarn|vite|webpack|next\.js|node|shell|path|env\w*|tokens?|permissions?|secrets?|ports?|proxy|dns|cache|sandbox|windows|macos|linux)\b/i,
    /コンテナ|本番|環境|キャッシュ|権限|容器|生产|环境|缓存|权限|컨테이너|운영|환경|캐시|권한/u,
  ],
  [
    "subject",
    /^(?:the |both |no |an? )?`[^`]+`(?: \w+){0,2} (?:is|was|has|had|does|did|do|are|were|can|cannot|will|must|only|never|always|(?:is|does|was|did)n['’]t|returns?|uses?|reads?|requires?|expects?|needs?|runs?|calls?|sets?|keeps?|treats?|throws?|fails?|checks?|sends?|writes?)\b/i,
    /^`[^`]+`(?:は|が|の|会|在|是|不|只|要|는|은|가|이|의)/u,
  ],
  ["name", /`[^`]+`/],
  [
    "path",
    /(?<![\w@.-])(?:[\w@.-]+\/)+[\w@.-]+|(?<![\w-])[\w-]+\.(?:ts|js|tsx|py|go|rs|md|json|ya?ml|toml|env|sql|sh|css|html)\b/,
  ],
  ["code", /\b[a-z]+[A-Z]\w+|\b[A-Z][a-z]+[A-Z]\w+|\b[A-Za-z]+_\w+|\b[A-Z]{3,}\b|--[a-z]/],
  ["number", /\d/],
] as const satisfies readonly (readonly [string, RegExp, RegExp?])[];

const CJK = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/gu;

/** Length in letters, of which a Chinese, Japanese or Korean character counts two and a half. */
const lengthOf = (text: string): number =>
  text.length + (HAS_CJK.test(text) ? 1.5 * (text.match(CJK)?.length ?? 0) : 0);

const MEASURES = {
  short: (text: string) => lengthOf(text) < 60,
  brief: (text: string) => lengthOf(text) < 90,
  full: (text: string) => lengthOf(text) >= 120,
  long: (text: string) => lengthOf(text) > 280,
  named: (text: string) => (text.match(/`[^`]+`/g)?.length ?? 0) >= 2,
  rich: (text: string) => (text.match(/`[^`]+`/g)?.length ?? 0) >= 3,
} as const;

/** Lists the signs that a sentence shows. */
export function signsOf(text: string): Sign[] {
  const plain = text.trim();
  const shows = readerOf(plain);
  return [
    ...SIGNS.filter(shows).map(([sign]) => sign),
    ...(Object.keys(MEASURES) as (keyof typeof MEASURES)[]).filter((measure) => MEASURES[measure](plain)),
  ];
}

/** Makes the question whether a sentence shows one of these signs: one look instead of many, for most do. */
export function anyOf(signs: readonly Sign[]): (text: string) => boolean {
  const forms = SIGNS.filter(([sign]) => signs.includes(sign));
  const latin = new RegExp(forms.map(([, form]) => form.source).join("|"), "i");
  const cjk = new RegExp(forms.flatMap(([, , form]) => form?.source ?? []).join("|"));
  return (text) => {
    const words = wordsOf(text.trim());
    return latin.test(words) || (HAS_CJK.test(words) && cjk.test(words));
  };
}

// Names in code are no words: `never_cache` does not contain the word "never".
const wordsOf = (plain: string): string => (plain.includes("`") ? plain.replace(/`[^`]*`/g, "`x`") : plain);

const HAS_CJK = /[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7a3]/;

function readerOf(plain: string): (sign: (typeof SIGNS)[number]) => boolean {
  const words = wordsOf(plain);
  const isCjk = HAS_CJK.test(words);
  return ([sign, latin, cjk]) => {
    const read = LITERAL.has(sign) ? plain : words;
    return latin.test(read) || (isCjk && cjk?.test(read) === true);
  };
}

/** Signs of a sentence and of when it was said, and each two of them: most say little alone. */
export function withPairs(signs: readonly (Sign | "talk" | "edited")[]): string[] {
  return signs.flatMap((sign, at) => [sign, ...signs.slice(at + 1).map((other) => `${sign}+${other}`)]);
}

const LITERAL: ReadonlySet<string> = new Set(["name", "path", "code", "number", "way"]);
