/** Phrases that say that something changed, so that an older statement is outdated. */
const CHANGE = new RegExp(
  [
    /\b(?:no longer|any ?longer|not any ?more|switched|migrated|moved|replaced|replaces|instead of|in place of)\b/,
    /\b(?:changed (?:to|from)|(?:was|were) changed|now|nowadays|from now on|renamed|dropped|deprecated|retired)\b/,
    /\b(?:tak(?:es|en) over|took over|(?:is|are) gone|previously|formerly|used to|became|becomes|gave up|stopped)\b/,
    /\b(?:raised|lowered|increased|decreased|reduced|extended|shortened|upgraded|downgraded|bumped|reverted)\b/,
    /\b(?:rolled back|abandoned|handed over|phased out|as of|(?:was|were) \S+ (?:before|until))\b/,
    /\bsince (?:january|february|march|april|may|june|july|august|september|october|november|december)\b/,
    /\bsince (?:version|v\d|the|this|last|20\d\d|q[1-4])|\((?:was|were|before|formerly|previously)\b/,
    /[にへが]変わ(?:っ|り)|[にへ]変更し|変更され|変更しました|を変更した|[にへ]移[しすっ]|移行し|切り替え(?:た|て|まし)|置き換え(?:た|て|まし|られ)|乗り換え(?:た|まし)|(?:を|は)やめ(?:た|て|まし)|廃止し|廃止され|廃止と|に(?:なった|なりました)(?!の|こと|ため|原因|理由|時|とき|ところ)/,
    /ようになった|こと[にと](?:した|しました|なった)|今[はで後]|いまは|現在は|以前[はの]|従来|に統一|引き[上下]げ/,
    /に短縮|に延長|に増や|に減ら|使わなく|もう(?:使|.{0,8}ない)|引き継|に交代|刷新し/,
    /改[为為成用由到在从從]|[换換][成为為到]|[迁遷]移?[到至往]|(?:已[经經]?|全部)[迁遷]移|[迁遷]移了|搬到|移到|不再|[现現]在|目前|如今|替[换換]|取代|升[级級到]/,
    /降[到为為]|[调調]整?[到为為成]|[缩縮]短|延[长長]|[弃棄]用|停用了|已[经經]?停用|[废廢][弃棄除止]了?|已[经經]?下[线線]|[转轉][到为為]/,
    /切[换換到]|以前|原[来來先]|[变變][成为為]|代替|接手|取消了|已[经經]?取消/,
    /바뀌었|바뀌어|바뀐|바꿨|바꾸었|바꾸기로|변경했|변경하였|변경됐|변경되었|변경됨|변경함|옮겼|옮긴|옮기기로|이전했|전환했|전환됐|전환되었|교체했|교체됐|교체되었|대체했|대체됐|대체되었|더 이상|더는|이제|이젠|폐지|없앴|없어졌/,
    /중단했|중단됐|중단되었|그만두|기로 했|줄였|줄었|늘렸|늘었|늘어났|올렸|내렸|낮췄|높였|넘겼|넘어갔|인계받|맡게 됐|맡게 되었|지금은|현재는|예전/,
  ]
    .map(({ source }) => source)
    .join("|"),
  "iu",
);

/** Phrases that ask for the present state. */
const PRESENT = new RegExp(
  [
    /\b(?:now|nowadays|currently|current|today|these days|at the moment|at present|latest|still|any ?more)\b/,
    /今(?!後)|現在|最新|最近|现在|目前|如今|[当當]前|지금|현재|이제|요즘|최신|현행/,
  ]
    .map(({ source }) => source)
    .join("|"),
  "iu",
);

/** Whether a statement says, in one of four languages, that it replaces an older one. */
export const saysChange = (text: string): boolean => CHANGE.test(text);

/** Whether a question asks, in one of four languages, how something is now. */
export const asksForPresent = (text: string): boolean => PRESENT.test(text);
