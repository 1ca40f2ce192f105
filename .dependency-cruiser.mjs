/** Rules for imports between folders. `test/architecture` plants a violation of each rule. */
const SERVER = '^(domain|application|adapters|bootstrap|cli|simulators|migrations|demo)/';

/** The part of offcut-sync that runs in Node and in browsers. */
const RULES_OF_FOLDERS = '^packages/offcut-sync/src/(disk|fetch-file|folder|server|shop|sync)[.]ts$';

/**
 * The contexts of `application`, lowest first. A context imports only lower ones. To reach a higher context, it
 * publishes an event, or declares a port or command that the higher context implements.
 */
export const LEVELS = [
  'shared',
  'pages',
  'storage',
  'media',
  'mail',
  'alerts',
  'legal',
  'accounts',
  'notices',
  'credits',
  'approvals',
  'payments',
  'subscriptions',
  'profiles',
  'mailing-list',
  'catalogue',
  'library',
  'purchases',
  'publishing',
  'promotions',
  'payouts',
  'operations',
  'ledger',
  'exports',
  'reports',
  'complaints',
  'administration',
];

/** @type {import('dependency-cruiser').IConfiguration} */
export default {
  forbidden: [
    {
      name: 'domain-is-pure',
      comment: 'The domain is true on paper: no framework, no input or output, not even Node.',
      from: { path: '^domain/' },
      to: { pathNot: '^domain/' },
    },
    {
      name: 'contexts-meet-in-shared',
      from: { path: '^domain/([^/]+)/' },
      to: {
        path: '^domain/',
        pathNot: ['^domain/$1/', '^domain/shared/', '^domain/catalogue/vocabulary[.]ts$'],
      },
    },
    {
      name: 'vocabulary-is-for-publishing',
      comment:
        'Genres, moods, keys and instruments belong to the catalogue; of the domain only publishing checks them.',
      from: { path: '^domain/', pathNot: '^domain/(catalogue|publishing)/' },
      to: { path: '^domain/catalogue/' },
    },
    ...LEVELS.map((context, level) => ({
      name: 'contexts-have-levels',
      from: { path: `^application/${context}/` },
      to: { path: `^application/(?!(${LEVELS.slice(0, level + 1).join('|')})/)[^/]+/` },
    })),
    {
      name: 'application-names-no-vendor',
      comment: 'Use cases sequence the domain and ports; vendors are behind ports.',
      from: { path: '^application/' },
      to: {
        pathNot: ['^(domain|application)/', 'node_modules/(@nestjs/(common|cqrs)|zod)/'],
        dependencyTypesNot: ['core'],
      },
    },
    {
      name: 'contexts-meet-in-bootstrap',
      comment:
        'An adapter of a context uses the platform and its own context. Modules name the modules that they import; a batch of credits writes the rows of purchases in its own statement.',
      from: {
        path: '^adapters/(?!platform/|vendors/)([^/]+)/',
        pathNot: ['[.]module[.]ts$', '^adapters/credits/postgres-credit-batch-store'],
      },
      to: { path: '^adapters/', pathNot: ['^adapters/$1/', '^adapters/platform/'] },
    },
    {
      name: 'credits-write-purchases-only',
      from: { path: '^adapters/credits/postgres-credit-batch-store' },
      to: {
        path: '^adapters/',
        pathNot: [
          '^adapters/(credits|platform)/',
          '^adapters/purchases/(owned-samples|purchase-requests)[.]ts$',
        ],
      },
    },
    {
      name: 'platform-knows-no-context',
      from: { path: '^adapters/platform/' },
      to: { path: '^adapters/', pathNot: '^adapters/platform/' },
    },
    {
      name: 'vendors-know-nobody',
      from: { path: '^adapters/vendors/([^/]+)/' },
      to: { path: '^adapters/', pathNot: '^adapters/vendors/$1/' },
    },
    {
      name: 'only-bootstrap-composes',
      from: { path: '^adapters/', pathNot: '[.]module[.]ts$' },
      to: { path: '^(bootstrap|cli|demo|simulators)/' },
    },
    {
      name: 'simulators-stand-alone',
      comment: 'A simulator is a server of its own, startable without the product.',
      from: { path: '^simulators/' },
      to: { path: SERVER, pathNot: '^simulators/' },
    },
    {
      name: 'web-knows-contracts-only',
      comment: 'The browser shares the shapes of bodies and answers with the server and nothing else.',
      from: { path: '^web/' },
      to: {
        path: SERVER,
        pathNot: [
          '^application/[^/]+/(contract|values|split-values)[.]ts$',
          '^application/(accounts/(factors|tokens)|library/(collections|workbenches))/contract[.]ts$',
          '^application/pages/((staff|server)-)?paths[.]ts$',
          '^application/payouts/tax-contract[.]ts$',
          '^application/publishing/folder/',
          '^application/purchases/licence[.]ts$',
          '^application/ledger/(alert|closing/closing|reports/(report|margin)|tax/tax|tie-outs/tie-out)-contract[.]ts$',
          '^application/(all-endpoints|shared/(endpoint|problem)[^/]*)[.]ts$',
        ],
      },
    },
    {
      name: 'web-takes-types-of-contracts',
      comment:
        'The browser takes only the types of a contract and the key of an endpoint: schemas would bring zod into the first load. What else a screen needs stands in values.ts; forms fetch the schemas of what they send.',
      from: { path: '^web/', pathNot: '^web/src/api/bodies[.]ts$' },
      to: {
        path: '^application/(all-endpoints|ledger/(alert|closing/closing|reports/report|tax/tax|tie-outs/tie-out)-contract|[^/]+/contract|shared/(endpoint|problem)[^/]*)[.]ts$',
        dependencyTypesNot: ['type-only'],
      },
    },
    {
      name: 'bodies-are-fetched',
      comment: 'The schemas of bodies bring zod along: no screen may carry them.',
      from: { path: '^web/' },
      to: { path: '^web/src/api/bodies[.]ts$', dependencyTypesNot: ['type-only', 'dynamic-import'] },
    },
    {
      name: 'values-bring-no-schemas',
      from: {
        path: '^application/([^/]+/(values|split-values)|purchases/licence|publishing/folder/[^/]+)[.]ts$',
      },
      to: {
        pathNot: [
          '^domain/',
          '^application/(shared|media|catalogue|publishing)/values[.]ts$',
          '^application/shared/text[.]ts$',
          '^application/(media/covers|publishing/folder)/',
        ],
      },
    },
    {
      name: 'server-knows-no-screens',
      from: { path: SERVER },
      to: { path: '^web/' },
    },
    {
      name: 'screens-never-import-screens',
      comment: 'Links come from application/pages/paths.ts; what two screens share is a component.',
      from: { path: '^web/src/screens/([^/]+)/' },
      to: { path: '^web/src/screens/', pathNot: '^web/src/screens/$1/' },
    },
    {
      name: 'product-needs-no-tests',
      comment: '`offcut publish` runs the program that creators get as a package.',
      from: { path: SERVER },
      to: { path: '^(test|bench|packages)/', pathNot: '^packages/offcut-publish/src/main[.]ts$' },
    },
    {
      name: 'product-needs-no-tests',
      comment: 'The browser keeps a folder by the rules of offcut-sync, which need no Node.',
      from: { path: '^web/' },
      to: { path: '^(test|bench|packages)/', pathNot: RULES_OF_FOLDERS },
    },
    {
      name: 'rules-of-folders-need-no-node',
      from: { path: RULES_OF_FOLDERS },
      to: { pathNot: [RULES_OF_FOLDERS, '^domain/shared/file-names[.]ts$'] },
    },
    {
      name: 'packages-stand-alone',
      comment:
        'A package is published without the server. It shares how files are named, and the plan of a folder.',
      from: { path: '^packages/' },
      to: {
        path: SERVER.replace('^(', '^(web|test|bench|'),
        pathNot: [
          '^domain/shared/file-names[.]ts$',
          '^application/(publishing/folder/[^/]+|publishing/values|catalogue/values)[.]ts$',
        ],
      },
    },
    {
      name: 'no-cycles',
      from: {},
      to: { circular: true },
    },
    {
      name: 'imports-resolve',
      comment:
        'The launchers in bin folders import the build, and tests and measurements import packages of their own package.json; all may be missing. Vite resolves the addresses of files. A test generates the types that the generated client imports.',
      from: { pathNot: ['^bin/', '^packages/[^/]+/bin/', '^test/support/generated-client/'] },
      to: {
        couldNotResolve: true,
        pathNot:
          '^(lighthouse|minisearch|@event-driven-io/.+|playwright-core|@sparticuz/chromium|axe-core|testcontainers|oauth2-mock-server|openapi-fetch|.+[?]url)$',
      },
    },
  ].map((rule) => ({ severity: 'error', ...rule })),
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: ['^(dist|coverage|[.]data)/', '^packages/[^/]+/dist/'] },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'default', 'types'],
      extensions: ['.ts', '.tsx', '.js', '.mjs', '.cjs', '.json', '.css', '.d.ts'],
    },
  },
};
