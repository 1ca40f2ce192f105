/**
 * Passwords that lists of stolen ones name first, and words that they are made of, written down by hand. Shorter than
 * eight characters they are refused for their length; runs, repetitions and usual endings are told by rule.
 */
const COMMON = new Set(
  `password password1 password2 password3 password12 password123 password1234 password12345 password! password1!
password01 password11 password21 password22 passw0rd passw0rd1 passw0rd! p@ssword p@ssw0rd p@ssw0rd1 p@ssword1
p4ssw0rd pa$$word pa$$w0rd passwords passwort passwort1 password99 passpass passport passw0rd123 p@ssw0rd123
mypassword newpassword yourpassword thepassword changeme changeme1 changeme123 changeit default1 letmein1
letmein123 letmein! letmeinnow welcome1 welcome2 welcome12 welcome123 welcome1234 welcome! welcome01 welcome@123
qwerty12 qwerty123 qwerty1234 qwerty12345 qwerty123456 qwertyui qwertyuiop qwertyuiop1 qwerty!@# qwerty01
qwerty11 qwerty21 qwert123 qwert1234 qwerqwer qweqweqwe qweasdzxc qweasd123 qwe123qwe qwer1234 qwertyqwerty
1q2w3e4r 1q2w3e4r5t 1q2w3e4r5t6y q1w2e3r4 q1w2e3r4t5 q1w2e3r4t5y6 1qaz2wsx 1qaz2wsx3edc 1qazxsw2 zaq12wsx
zaq1zaq1 zaq1xsw2 qazwsxedc qazwsx123 qazwsxedcrfv qazxswedc wsxedcrf 1qaz@wsx !qaz2wsx !qaz@wsx
asdfghjkl asdfghjk asdfasdf asdf1234 asdfgh123 asdfghjkl1 asdfjkl; asdqwe123 asd123asd zxcvbnm1 zxcvbnm123
zxcvbnm, zxcvzxcv zxczxczxc zxcvbnm0 azertyui azertyuiop azerty123 12345678a 123456789a a12345678 a123456789
1234567890a 12345678q 123456789q q12345678 q123456789 a1b2c3d4 a1b2c3d4e5 abc12345 abc123456 abc1234567
abcd1234 abcd12345 abcde123 abcdef123 abcdefg1 abcdefgh1 abc123abc abcabcabc aa123456 aa12345678 aaa111aaa
123abc123 123qweasd 123qwe123 123qweasdzxc 123qwe!@# 123123123a 1234qwer 12341234 12344321 12345679 12345678910
1234554321 123454321 123321123 123456654321 123456987 123654789 147258369 147852369 159357456 159753456 789456123
741852963 963852741 987654321 9876543210 98765432 87654321 0987654321 01234567 0123456789 012345678 11223344
1122334455 112233445566 11112222 11110000 22446688 10203040 102030405060 13579246 1357924680 24682468 20202020
19871987 19841984 19851985 19861986 19881988 19891989 19901990 19911991 19921992 20002000 20012001 20102010
31415926 314159265 27182818 42424242 69696969 696969696 77778888 88889999 00112233 00000001 01010101 10101010
12121212 121212121 13131313 14141414 21212121 23232323 32323232 34343434 45454545 56565656 78787878 89898989
90909090 98989898 iloveyou iloveyou1 iloveyou2 iloveyou! iloveyou123 iloveyou12 iloveu123 iloveme1 iloveme2
iloveyou3 ilovegod ilovejesus ilovehim ilovemom ilovemyself ilovemusic ilovecats ilovedogs lovelove loveyou1
loveme123 lovers123 loverboy lovergirl lovebird loveless loveable lovely123 princess princess1 princess12
princess123 princess2 princesa sunshine sunshine1 sunshine12 sunshine123 sunshine2 sunflower sunflower1
football football1 football12 football123 footbal1 baseball baseball1 baseball12 baseball2 basketball
basketball1 softball softball1 volleyball hockey123 soccer123 soccer12 superman superman1 superman123
batman123 batman12 spiderman spiderman1 ironman1 starwars starwars1 startrek pokemon1 pokemon123 pikachu1
charizard nintendo nintendo1 playstation playstation1 xbox360x minecraft minecraft1 minecraft123 fortnite
fortnite1 fortnite123 roblox123 counterstrike warcraft warcraft1 worldofwarcraft diablo123 zelda123 mustang1
corvette ferrari1 porsche1 mercedes mercedes1 chevrolet chevelle harley123 harleydavidson yamaha123 suzuki123
master123 master12 masters1 dragon12 dragon123 dragonball dragonballz dragons1 monkey12 monkey123 monkey1234
shadow12 shadow123 hunter12 hunter123 hunter2hunter2 killer12 killer123 buster12 buster123 tigger12 tigger123
charlie1 charlie12 charlie123 michael1 michael12 michael123 michelle michelle1 jennifer jennifer1 jessica1
jessica123 jordan23 jordan123 jordan12 joshua12 joshua123 matthew1 daniel12 daniel123 andrew12 andrew123
anthony1 anthony123 ashley12 ashley123 amanda12 amanda123 nicole12 nicole123 brittany brittany1 christian
christian1 christopher christina christine elizabeth elizabeth1 samantha samantha1 stephanie stephanie1
benjamin benjamin1 jonathan jonathan1 nicholas nicholas1 patricia patrick1 veronica veronica1 victoria
victoria1 alexander alexander1 alexandra alexande alexandre alejandro alejandra fernando francisco gabriel1
gabriela isabella isabelle kimberly kimberly1 lawrence madison1 marianne margaret martinez mauricio melissa1
miguel123 montana1 natalie1 rebecca1 richard1 robert12 robert123 ricardo1 roberto1 santiago sebastian
sebastian1 theresa1 thomas12 thomas123 valentina vanessa1 william1 yolanda1 zachary1 chocolate chocolate1
cookie12 cookie123 cupcake1 butterfly butterfly1 buttercup butterfl cheesecake cheese123 strawberry
strawberry1 blueberry blueberry1 raspberry pineapple pineapple1 watermelon banana123 orange12 orange123
purple12 purple123 rainbow1 rainbow123 diamond1 diamonds crystal1 emerald1 sapphire platinum silver123
golden123 goldfish elephant elephant1 dolphin1 dolphins penguin1 penguins panther1 panthers leopard1
crocodile squirrel scorpion scorpion1 scorpio1 phoenix1 pegasus1 unicorn1 unicorn123 mermaid1 angel123
angels123 angelina angelica angelika babygirl babygirl1 babygirl12 babyboy1 babyblue babydoll babyface
sweetheart sweetie1 sweetpea sweetness cutiepie hottie12 blessed1 blessing faithful forgiven godisgood
jesus123 jesus777 jesuschrist christ12 heaven12 heavenly trinity1 holyghost hallelujah hello123 hello1234
hello12345 helloworld hellohello hellokitty hellokitty1 goodbye1 goodluck goodluck1 freedom1 freedom123
forever1 forever21 forever2 friends1 friends4 friendship family12 family123 mother12 mother123 father12
daddysgirl grandma1 grandpa1 sister12 brother1 computer computer1 computer12 computer123 internet internet1
internet123 explorer samsung1 samsung123 google12 google123 facebook facebook1 facebook123 myspace1 linkedin
linkedin1 twitter1 twitter123 instagram instagram1 whatsapp snapchat snapchat1 youtube1 youtube123 spotify1
microsoft microsoft1 windows1 windows7 windows10 windows11 linux123 ubuntu123 oracle123 cisco123 server123
system123 security security1 secret12 secret123 topsecret administrator administrator1 admin123 admin1234
admin12345 admin123456 admin@123 admin!@# adminadmin admin000 admin888 admin2020 admin2021 admin2022
admin2023 admin2024 admin2025 administrador root1234 rootroot toor1234 user1234 username guest123 guest1234
test1234 test12345 test123456 test123! testtest testtest1 testing1 testing12 testing123 tester12 tester123
demo1234 demodemo temp1234 temporary temppass trustno1 trustnoone whatever whatever1 whatever123 whatsup1
nothing1 something something1 anything everything nobody123 somebody blahblah blahblah1 dontknow forgotit
fuckyou1 fuckyou2 fuckyou12 fuckyou123 fuckyou! fuckoff1 fuckfuck fuckthis fuckthis1 asshole1 asshole123
bullshit bullshit1 bitch123 bastard1 motherfucker sexsexsex sexy1234 sexygirl sexybitch sexyback pussycat
playboy1 player12 player123 bigdaddy bigdaddy1 bigboy12 cowboys1 cowboys123 steelers steelers1 patriots
patriots1 packers1 raiders1 raiders123 redskins broncos1 dolphins1 eagles12 giants12 lakers24 lakers123
yankees1 yankees2 redsox12 redsox04 arsenal1 arsenal123 chelsea1 chelsea123 liverpool liverpool1 liverpool123
manchester manutd123 manunited barcelona barcelona1 realmadrid realmadrid1 juventus juventus1 benfica1
galatasaray fenerbahce besiktas america1 american1 canada123 england1 london123 paris123 france123 germany1
mexico123 brazil123 australia australia1 california california1 newyork1 newyork123 chicago1 texas123 florida1
florida123 hawaii50 january1 february february1 march123 april123 june1234 july1234 august12 august123
september september1 october1 october123 november november1 december december1 monday123 friday13 friday123
saturday sunday12 summer12 summer123 summer2020 summer2021 summer2022 summer2023 summer2024 summer2025
summer2026 winter12 winter123 winter2020 winter2021 winter2022 winter2023 winter2024 winter2025 winter2026
spring123 spring2023 spring2024 spring2025 spring2026 autumn123 autumn2024 autumn2025 autumn2026 christmas
christmas1 birthday birthday1 halloween1 midnight midnight1 moonlight moonlight1 starlight nightmare
nightmare1 thunder1 thunder123 lightning lightning1 hurricane tornado1 blizzard blizzard1 snowball snowball1
snowflake snowman1 fireball firebird fireman1 firefire dragonfly darkness darkness1 darkangel darkside
blackcat blackjack blackbird blackberry blackhole blackmagic whitney1 redhead1 bluebird bluesky1 greenday
greenday1 metallic metallica metallica1 slipknot slipknot1 nirvana1 eminem123 beatles1 pinkfloyd ledzeppelin
rockstar rockstar1 rockandroll rocknroll music123 musica123 musiclover guitar12 guitar123 drummer1 drumline
scooter1 scoobydoo scooby123 snoopy12 snoopy123 garfield garfield1 mickey12 mickey123 mickeymouse minnie12
bugsbunny tinkerbell tinkerbell1 cinderella peterpan pumpkin1 pumpkin123 peanut12 peanut123 pepper12 pepper123
ginger12 ginger123 maggie12 maggie123 sophie12 bailey12 bailey123 buddy123 buddy1234 lucky123 lucky777 lucky1234
lucky7777 luckydog goober12 pickle12 pookie12 precious precious1 beautiful beautiful1 gorgeous gorgeous1
handsome handsome1 brooklyn brooklyn1 angel1234 carolina carolina1 cameron1 dakota12 destiny1 destiny123
happy123 happy1234 happyday happyfeet happiness smile123 smiley12 success1 success123 champion champion1
winner12 winner123 warrior1 warriors warrior123 soldier1 marines1 military airborne airborne1 airforce
gunner12 sniper12 sniper123 assassin assassin1 terminator predator predator1 godzilla godzilla1 gangster
gangster1 gangsta1 scarface scarface1 godfather godfather1 jamesbond jamesbond007 bond007007 agent007 matrix123
access14 access123 abc123!@# !@#$%^&* !@#$%^&*( !@#$%^&*() 1!2@3#4$ 1a2b3c4d 1a2s3d4f a1s2d3f4 a1a2a3a4 aaaaaa11
qq123456 qq1234567 qq12345678 zz123456 zxc123456 asd123456 wang1234 woaini123 woaini1314 woaini520 5201314520
52013145 1314520520 aini1314 wodemima mima1234 caonima1 nihao123 klaster1 contraseña contrasena contrasenia
teamoteamo teamo123 tequiero tequiero1 teamomucho mariposa mariposa1 estrella estrella1 corazon1 bonita123
chiquita familia1 angelito princesita hermosa1 chocolat motdepasse bonjour1 doudou123 loulou123 soleil123
marseille marseille1 jetaime1 azertyuio schatz123 hallo123 hallo1234 passwort123 passwort12 sommer123
sommer2024 sommer2025 deutschland fussball fussball1 schalke04 dortmund ficken123 geheim123 benutzer wachtwoord
welkom01 welkom123 feyenoord amsterdam senha123 senha1234 brasil123 flamengo corinthians palmeiras polska123
polska12 haslo123 kochamcie kochanie matrioshka privet123 parol123 qwertyuiop[] sunshine! football! baseball!
princess! superman! dragon!1 monkey!1 master!1 january2024 january2025 march2024 april2024 october2024
november2024 december2024 december2025 november2025 offcut123 offcut2024 offcut2025 offcut2026 offcutoffcut
login tuesday wednesday thursday love united madrid berlin moscow dallas boston ireland scotland italia
india pakistan china george charles david james john mark peter paul simon steven kevin brian jason justin
anna maria laura sarah emma lisa julia linda susan karen nancy piano drums bass beats studio producer sample
samples hiphop techno metal rock jazz soul tiger lion eagle wolf bear horse puppy kitten kitty tennis golf
money dollar million gold black white green blue yellow pink brown apple android naruto mario sonic merlin
gandalf ninja samurai wizard ranger sugar honey cherry lemon flower baby sweet heart church honda toyota
nissan pass passwd mypass zxcvbn`.split(/\s+/),
);

const KEY_ROWS = ['01234567890', '09876543210', 'qwertyuiop', 'poiuytrewq', 'asdfghjkl', 'lkjhgfdsa'];
const KEY_RUNS = [...KEY_ROWS, 'zxcvbnm', 'mnbvcxz', 'abcdefghijklmnopqrstuvwxyz'];

/** What people put behind a word when a digit or a sign is asked for. */
const ENDING = /[\d!@#$%&*.?_-]{1,4}$/;
const WORDS = new Set(
  [...COMMON].map((each) => each.replace(/[\d!@#$%&*.?_-]+$/, '')).filter((word) => /[a-z].{3}/.test(word)),
);
const SIGNS: Record<string, string> = {
  '@': 'a',
  4: 'a',
  3: 'e',
  1: 'i',
  '!': 'i',
  0: 'o',
  $: 's',
  5: 's',
  7: 't',
};

/**
 * Whether a password is one of the first that anybody would try, however it is capitalised: a word of the list, also
 * twice, with signs for letters, and with up to four digits or signs behind it; some millions in all.
 */
export function isCommonPassword(password: string): boolean {
  const folded = password.toLowerCase();
  if (COMMON.has(folded) || repeats(folded) || KEY_RUNS.some((run) => run.includes(folded))) return true;
  const [, word = ''] = /^(.+?)\1?$/s.exec(folded.replace(ENDING, '')) ?? [];
  return WORDS.has(word) || WORDS.has(word.replaceAll(/[@431!0$57]/g, (sign) => SIGNS[sign] ?? sign));
}

/** One to three characters, over and over: `aaaaaaaa`, `abababab`, `123123123`. */
const repeats = (text: string): boolean => /^(.{1,3})\1+.{0,2}$/su.test(text) && distinct(text) <= 3;

const distinct = (text: string): number => new Set(text).size;
