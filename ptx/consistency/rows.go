package consistency

// A Kind says what a row of the model defines.
type Kind int

// The kinds of rows.
const (
	Events  Kind = iota // a set of events that the program determines
	Given               // a relation that the program or the run determines
	Derived             // a relation that follows from others
	Axiom               // a condition that every execution satisfies
	Reading             // how the rows apply to instructions that chapter 8 does not mention
)

// String returns the word for the kind.
func (k Kind) String() string { return [...]string{"set", "given", "derived", "axiom", "reading"}[k] }

// A Row is one rule of the model.
type Row struct {
	Name     string   // the name that other rows use
	Kind     Kind     // what it defines
	Relation string   // in the notation of this package; empty for sets and given relations
	Section  string   // the section of PTX ISA 9
	Words    string   // the meaning of the row, in one sentence
	Tests    []string // litmus tests of this row: names of files in internal/machine/litmus/testdata, without extension
}

// Rows returns the model. Each row uses only the names of earlier rows.
func Rows() []Row { return append([]Row(nil), rows...) }

// The shapes of axioms. An axiom says of a relation that it is empty, that it relates no event to itself, or that it
// has no cycle.
const (
	empty       = "empty "
	irreflexive = "irreflexive "
	acyclic     = "acyclic "
)

var rows = []Row{
	{"W", Events, "", "8.2.6, 8.4", "writes: st, the write of atom and red, and the initial write of each location", nil},
	{"R", Events, "", "8.4, 8.8", "reads: ld, and the read of atom and red", nil},
	{"First", Events, "", "8.2.6", "the initial writes of locations, which belong to no thread", []string{"race-free"}},
	{"Red", Events, "", "8.8, 8.11.1", "the reads of red, which form no acquire pattern", []string{"red-fence"}},
	{
		"Strong", Events, "", "8.4", "strong operations: fences, atom, red, and ld and st with .relaxed, .acquire, " +
			".release or .volatile", []string{"mp-weak", "mp-relaxed-fence", "mp-volatile"},
	},
	{
		"Release", Events, "", "8.4, 9.7.13",
		"release operations: st.release, the write of atom and red with .release or .acq_rel, and " +
			"fence.release, .acq_rel and .sc",
		[]string{"mp", "mp-fence-release"},
	},
	{
		"Acquire", Events, "", "8.4, 9.7.13",
		"acquire operations: ld.acquire, the read of atom with .acquire or .acq_rel, and fence.acquire, " +
			".acq_rel and .sc",
		[]string{"mp", "mp-fence-release"},
	},
	{
		"F", Events, "", "9.7.13.4",
		"memory fences: fence with .acquire, .release, .acq_rel or .sc, and membar",
		[]string{"mp-relaxed-fence"},
	},
	{"Gen", Events, "", "8.6", "operations through the generic proxy, and memory fences", []string{"proxy-surface"}},
	{"Alias", Events, "", "9.7.13.4", "fence.proxy.alias", []string{"alias", "alias-fence"}},

	{"po", Given, "", "8.9.1", "program order: the order of a thread", []string{"corr"}},
	{
		"issue", Given, "", "8.9.1.1", "an operation, and the operations of an asynchronous copy that its thread issues later",
		[]string{"async-fence"},
	},
	{
		"done", Given, "", "9.7.9.25", "the operations of an asynchronous copy, and a wait for its group",
		[]string{"cp-async", "bulk-group"},
	},
	{
		"dep", Given, "", "8.10.4",
		"a read, and what its value decides: a value written, and whether an operation is executed",
		[]string{"lb-data"},
	},
	{"rmw", Given, "", "8.10.3", "the read of an atomic operation, and its write", []string{"atomicity"}},
	{
		"loc", Given, "", "8.2.1, 8.2.2",
		"memory operations whose locations overlap, by whatever address",
		[]string{"alias-fence", "mp"},
	},
	{
		"whole", Given, "", "8.2.1, 8.7",
		"operations that overlap completely, by one virtual address; all pairs with a fence, too",
		[]string{"alias", "mp"},
	},
	{
		"scope", Given, "", "8.5",
		"two operations; the scope of each includes the thread of the other",
		[]string{"mp-cta", "mp-cluster", "mp-mixed-scope"},
	},
	{"proxy", Given, "", "8.6", "operations through the same proxy", []string{"proxy-surface", "proxy-same-cta"}},
	{"cta", Given, "", "8.9.5", "operations of threads of one CTA", []string{"proxy-same-cta"}},
	{
		"fences", Given, "", "9.7.13.4",
		"fence.proxy, and the operations through its proxy in its CTA",
		[]string{"proxy-surface-fence", "proxy-surface-cta"},
	},
	{"rf", Given, "", "8.9.7", "a write, and a read that returns its value", []string{"mp"}},
	{
		"co", Given, "", "8.9.6",
		"coherence order: the transitive order of overlapping writes that the run determines",
		[]string{"coww", "corr", "co-weak"},
	},
	{
		"sc", Given, "", "8.9.3",
		"Fence-SC order: the order of each two morally strong fence.sc that the run determines",
		[]string{"sb-sc", "sb-sc-cta"},
	},
	{
		"bar", Given, "", "8.9.4, 9.7.13.1, 9.7.13.3",
		"a barrier that a thread arrived at, and the barriers of those who waited for it",
		[]string{"bar", "bar-arrive", "bar-cluster", "bar-cluster-relaxed"},
	},

	{"same", Derived, "loc & whole", "8.2.1", "memory operations that overlap completely", []string{"alias", "mp"}},
	{
		"ms", Derived, "(po | po^-1 | [Strong]; scope; [Strong]) & proxy & whole", "8.7",
		"morally strong operations",
		[]string{"mp", "mp-cta", "mp-mixed-scope", "atomicity-cta"},
	},
	{"fr", Derived, "rf^-1; co", "8.9.7", "a read, and the writes after the write that it returns", []string{"corr"}},
	{
		"obs", Derived, "(ms & rf); (rmw; (ms & rf))*", "8.9.2",
		"observation order: a strong read, directly or through atomic operations",
		[]string{"mp-rmw", "mp-st-between"},
	},
	{
		"rel", Derived, "[W & Release]; (po & same)?; [W & Strong] | [F & Release]; po; [W & Strong]", "8.8",
		"release pattern: its first operation and its write",
		[]string{"mp", "release-pattern", "mp-relaxed-fence"},
	},
	{
		"acq", Derived,
		`[R & Strong \ Red]; (po & same)?; [R & Acquire] | [R & Strong \ Red]; po; [F & Acquire]`,
		"8.8",
		"acquire pattern: its read and its last operation",
		[]string{"acquire-pattern", "red-fence", "mp-relaxed-fence"},
	},
	{
		"sync", Derived, "ms & (rel; obs; acq)", "8.9.4",
		"a release pattern synchronizes with an acquire pattern that observes it",
		[]string{"mp", "mp-cta", "isa2"},
	},
	{
		"prog", Derived, "(po | issue | done)+", "8.9.1.1", "program order, with asynchronous copies",
		[]string{"async-fence", "cp-async"},
	},
	{
		"base", Derived, "prog | prog?; ((sync | sc | bar); prog?)+", "8.9.5",
		"base causality order",
		[]string{"isa2", "bar", "wrc"},
	},
	{
		"out", Derived, "[Gen] | base & fences^-1", "8.9.5",
		"a generic operation, or another one and a later fence of its proxy",
		[]string{"proxy-surface-fence", "proxy-two-fences"},
	},
	{
		"in", Derived, "[Gen] | base & fences", "8.9.5",
		"a generic operation, or the fence of a proxy and a later operation through the proxy",
		[]string{"proxy-surface-fence", "proxy-two-fences"},
	},
	{
		"ppbc", Derived, "same & (out; base; in) | same & proxy & cta & base | loc & (out; base; [Alias]; base; in)", "8.9.5",
		"proxy-preserved base causality order",
		[]string{"proxy-surface", "proxy-surface-fence", "proxy-two-fences", "alias-fence", "proxy-surface-cta"},
	},
	{"cause", Derived, "obs?; ppbc", "8.9.5", "causality order", []string{"cause-obs", "wrc"}},

	{
		"conflict", Derived, `[W \ First]; loc; [(W | R) \ First] | [R]; loc; [W \ First]`, "8.7.1",
		"operations of threads that overlap, one of them a write",
		[]string{"race"},
	},
	{
		"race", Derived, `conflict \ (ms | cause | cause^-1 | [W | R])`, "8.7.1",
		"a data race: a conflict of two operations that are neither morally strong nor related by causality",
		[]string{"race", "race-free"},
	},

	{
		"Coherence", Axiom, acyclic + "[W]; (cause & loc); [W] | co", "8.10.1",
		"the coherence order of writes does not contradict causality order",
		[]string{"coww", "corw", "coww-mp", "coherence-rmw"},
	},
	{
		"Coherence-Order", Axiom, empty + `[W]; ((ms | cause) & loc); [W] \ (co | co^-1)`, "8.9.6",
		"overlapping writes that are morally strong, or related by causality, have a coherence order",
		[]string{"co-strong", "co-weak"},
	},
	{
		"Fence-SC", Axiom, irreflexive + "sc; base", "8.10.2",
		"Fence-SC order does not contradict base causality order",
		[]string{"sb-sc", "iriw-sc", "sc-base"},
	},
	{
		"Atomicity", Axiom, empty + "rmw & ((ms & fr); (ms & co))", "8.10.3",
		"no morally strong write comes between the read and the write of an atomic operation",
		[]string{"atomicity", "atomicity-cta"},
	},
	{
		"No-Thin-Air", Axiom, acyclic + "rf | dep", "8.10.4",
		"no value is its own cause",
		[]string{"lb", "lb-data", "lb-ctrl"},
	},
	{
		"SC-Per-Location", Axiom, acyclic + "ms & (rf | co | fr | po & loc)", "8.10.5",
		"morally strong operations on one location are sequentially consistent",
		[]string{"corr", "corr-weak"},
	},
	{
		"Causality", Axiom, irreflexive + "(rf | fr); cause", "8.10.6",
		"communication does not contradict causality order",
		[]string{"mp", "isa2", "wrc", "bar"},
	},

	{
		"async-write", Reading, "", "9.7.9.25.2",
		"a generic write, fence.proxy.async, a release, and an asynchronous copy that reads are ordered; without the fence they are not",
		[]string{"async-fence", "async-release", "async-no-fence"},
	},
	{
		"async-completion", Reading, "", "9.7.9.25.2",
		"the completion of a bulk copy is a fence of its proxy; it is a release at .cluster for who waits on the mbarrier",
		[]string{"async-complete", "async-complete-relaxed", "async-no-wait", "bulk-group", "bulk-group-read", "bulk-group-one"},
	},
	{
		"async-reuse", Reading, "", "8.9.5",
		"a copy that reads, a wait, a release, and a copy that writes are ordered without a fence: one proxy, one CTA",
		[]string{"async-ring", "async-ring-no-wait"},
	},
	{
		"async-after-write", Reading, "", "8.9.5",
		"a generic write, a release, and a copy that writes need a fence of the proxy: an H200 loses the copy without it",
		[]string{"async-generic-write", "async-generic-write-own", "async-generic-write-fence"},
	},
	{
		"async-after-read", Reading, "", "8.9.5",
		"a generic read, a release, and a copy that writes need a fence of the proxy, which practice omits",
		[]string{"async-generic-read", "async-generic-read-fence"},
	},
	{
		"mbarrier", Reading, "", "9.7.13.15",
		"an arrival is a red.release.cta, a successful wait an ld.acquire.cta of the last arrival, unless they say otherwise",
		[]string{"mbarrier", "mbarrier-relaxed", "mbarrier-remote", "mbarrier-cluster"},
	},
	{
		"cp-async", Reading, "", "9.7.9.25.3", "cp.async is of the generic proxy, and ordered by waits alone",
		[]string{"cp-async", "cp-async-no-wait"},
	},
	{
		"lanes", Reading, "", "9.7.13.2", "the lanes of a warp are threads, which bar.warp.sync orders",
		[]string{"lanes", "lanes-bar"},
	},
}
