package probe

import (
	"fmt"
	"slices"
	"strings"

	"girih/ptx"
)

// A Space is the memory whose addresses vary.
type Space string

// The spaces.
const (
	Shared Space = "shared"
	Remote Space = "cluster" // the shared memory of the other block in a cluster of two
	Global Space = "global"
)

// An Op is an instruction whose cost is measured.
type Op struct {
	Name  string // as package banks spells it: "ld.32", "atom.add.u32", "ld.global.nc.128"
	Code  ptx.Op // as PTX writes it
	Space Space  // the space of the addresses that vary
	Bytes int64  // bytes per lane; 16 for a row of a matrix, 0 for a bulk copy
	Arch  int    // the first architecture that has the instruction: 90 for sm_90
}

// Bulk reports whether the Op is a bulk copy, which copies a run of bytes and has no lanes.
func (o Op) Bulk() bool { return strings.HasPrefix(o.Name, "cp.async.bulk") }

// Matrices returns how many matrices ldmatrix and stmatrix move, or 0.
func (o Op) Matrices() int {
	if n := o.Code.Name(); n != "ldmatrix" && n != "stmatrix" {
		return 0
	}
	for _, n := range []int{1, 2} {
		if o.Code.Has("x" + ptx.Int(n).String()) {
			return n
		}
	}
	return 4
}

// Counters returns Nsight Compute's names of the counters for wavefronts in shared memory, sectors of 32 bytes, lines
// of 128 bytes, and words that pass through the banks; "" where a counter does not apply. Accesses to shared memory
// have wavefronts, bulk copies have sectors and words, and all others have sectors and lines.
func (o Op) Counters() []string {
	switch {
	case o.Bulk():
		return o.bulkCounters()
	case o.Code.Has("cg") && o.Code.Name() == "cp":
		return []string{"", "smsp__sass_l1tex_t_sectors_pipe_lsu_mem_global_op_ldgsts_cache_bypass.sum", "", ""}
	case o.Space == Shared:
		return []string{o.wavefronts(), "", "", ""}
	}
	kind := o.counterKind()
	of := "global_op_" + kind
	switch {
	case kind == "":
		of = "global_op_ldgsts_cache_access"
	case o.Space == Remote && kind == "red":
		of = "dshared_op_atom"
	case o.Space == Remote:
		of = "dshared_op_" + kind
	}
	return []string{"", "l1tex__t_sectors_pipe_lsu_mem_" + of + ".sum", "l1tex__t_set_accesses_pipe_lsu_mem_" +
		of + ".sum", ""}
}

// counterKind returns the kind of an instruction in names of counters, or "" for cp.async.
func (o Op) counterKind() string {
	return map[string]string{
		"ld": "ld", "ldmatrix": "ld", "st": "st", "stmatrix": "st", "atom": "atom", "red": "red",
	}[o.Code.Name()]
}

// bulkCounters is [Op.Counters] of a bulk copy.
func (o Op) bulkCounters() []string {
	switch {
	case o.Code.Has("bulk_group"):
		return []string{"", "l1tex__m_l1tex2xbar_write_sectors_mem_global_op_tma_st.sum", "", "l1tex__data_bank_reads.sum"}
	case o.Space == Remote:
		return []string{"", "l1tex__m_l1tex2xbar_write_sectors_mem_dshared_op_tma_st.sum", "", "l1tex__data_bank_reads.sum"}
	}
	return []string{"", "l1tex__m_xbar2l1tex_read_sectors_mem_global_op_tma_ld.sum", "", "l1tex__data_bank_writes.sum"}
}

// wavefronts returns the name of the counter of wavefronts in shared memory.
func (o Op) wavefronts() string {
	const wavefronts = "data_pipe_lsu_wavefronts_mem_shared_op_"
	switch kind := o.counterKind(); kind {
	case "":
		return "smsp__sass_l1tex_" + wavefronts + "ldgsts.sum"
	case "red": // red is counted in the same way as atom
		return "l1tex__" + wavefronts + "atom.sum"
	default:
		return "l1tex__" + wavefronts + kind + ".sum"
	}
}

// Ops returns the instructions that are measured, in a fixed order.
//
// No instruction accesses 96 bits: vectors have 2 or 4 elements (PTX ISA, "Vectors" and "ld"). nvdisasm knows LDS.96,
// but no PTX compiles to LDS.96.
func Ops() []Op { return slices.Clone(ops) }

// FindOp returns the Op with a name.
func FindOp(name string) (Op, bool) {
	i := slices.IndexFunc(ops, func(o Op) bool { return o.Name == name })
	if i < 0 {
		return Op{}, false
	}
	return ops[i], true
}

var ops = makeOps()

// widths are the types of loads and stores, by the bits of a lane.
var widths = []struct{ bits, typ string }{
	{"8", "u8"}, {"16", "u16"}, {"32", "u32"}, {"64", "v2.u32"}, {"128", "v4.u32"},
}

// atomics are the operations of atom and red, with the first architecture that has them.
var atomics = []struct {
	name      string
	arch      int
	red, atom bool // whether the operation is measured as red and as atom
	shared    bool // whether it is also measured in shared memory
}{
	{"add.u32", 70, true, true, true},
	{"add.u64", 70, true, true, true},
	{"min.s32", 70, true, true, true},
	{"max.u64", 70, true, true, true},
	{"and.b32", 70, true, true, true},
	{"inc.u32", 70, false, true, true},
	{"exch.b32", 70, false, true, true},
	{"exch.b64", 70, false, true, true},
	{"exch.b128", 90, false, true, true},
	{"cas.b16", 70, false, true, true},
	{"cas.b32", 70, false, true, true},
	{"cas.b64", 70, false, true, true},
	{"cas.b128", 90, false, true, true},
	{"add.f32", 70, true, true, true},
	{"add.f64", 70, true, true, true},
	{"add.noftz.f16x2", 70, true, true, true},
	{"add.noftz.bf16x2", 90, true, true, false},
	{"add.v2.f32", 90, true, true, false},
	{"add.v4.f32", 90, true, true, false},
}

// An opList collects instructions.
type opList []Op

func (l *opList) add(space Space, arch int, name, code string) *Op {
	o := Op{Name: name, Code: ptx.Op(code), Space: space, Arch: arch}
	o.Bytes = int64(o.Code.Type().Bits()/8) * int64(o.Code.Vec())
	*l = append(*l, o)
	return &(*l)[len(*l)-1]
}

func makeOps() []Op {
	var l opList
	l.addShared()
	l.addRemote()
	l.addGlobal()
	return l
}

func (l *opList) addShared() {
	for _, op := range []string{"ld", "st"} {
		for _, w := range widths {
			l.add(Shared, 70, op+"."+w.bits, op+".shared."+w.typ)
		}
	}
	for _, m := range []struct {
		op   string
		arch int
	}{{"ldmatrix", 75}, {"stmatrix", 90}} {
		for _, n := range []string{".x1", ".x2", ".x4"} {
			for _, trans := range []string{"", ".trans"} {
				l.add(Shared, m.arch, m.op+n+trans, m.op+".sync.aligned.m8n8"+n+trans+".shared.b16").Bytes = 16
			}
		}
	}
	for _, a := range atomics {
		if a.shared && a.atom {
			l.add(Shared, a.arch, "atom."+a.name, "atom.shared."+a.name)
		}
		if a.shared && a.red {
			l.add(Shared, a.arch, "red."+a.name, "red.shared."+a.name)
		}
	}
	l.addCopies(Shared, "cp.async.")
	l.add(Shared, 90, "cp.async.bulk.shared.global", "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes")
	l.add(Shared, 90, "cp.async.bulk.global.shared", "cp.async.bulk.global.shared::cta.bulk_group")
}

// addCopies adds the variants of cp.async.
func (l *opList) addCopies(space Space, name string) {
	for _, c := range []struct {
		name  string
		bytes int64
	}{{"ca.4", 4}, {"ca.8", 8}, {"ca.16", 16}, {"cg.16", 16}} {
		l.add(space, 80, name+c.name, "cp.async."+c.name[:2]+".shared.global").Bytes = c.bytes
	}
}

func (l *opList) addRemote() {
	l.add(Remote, 90, "cp.async.bulk.cluster.shared",
		"cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes")
	for _, op := range []string{"ld", "st"} {
		for _, w := range widths {
			l.add(Remote, 90, op+".cluster."+w.bits, op+".shared::cluster."+w.typ)
		}
	}
	for _, op := range []string{"atom.%sadd.u32", "atom.%scas.b32", "red.%sadd.u32"} {
		l.add(Remote, 90, fmt.Sprintf(op, "cluster."), fmt.Sprintf(op, "shared::cluster."))
	}
}

func (l *opList) addGlobal() {
	for _, w := range widths {
		for _, how := range []string{"", "nc.", "cg.", "cs.", "L1::no_allocate."} {
			l.add(Global, 70, "ld.global."+how+w.bits, "ld.global."+how+w.typ)
		}
		for _, how := range []string{"", "cg."} {
			l.add(Global, 70, "st.global."+how+w.bits, "st.global."+how+w.typ)
		}
	}
	for _, a := range atomics {
		if a.atom {
			l.add(Global, a.arch, "atom.global."+a.name, "atom.global."+a.name)
		}
		if a.red {
			l.add(Global, a.arch, "red.global."+a.name, "red.global."+a.name)
		}
	}
	l.addCopies(Global, "cp.async.global.")
}
