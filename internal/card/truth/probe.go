package truth

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"slices"

	"girih/internal/machine/lower"
	"girih/ptx"
)

// A Probe is the experiments on one atom.
type Probe struct {
	Name    string // the name of the atom
	Family  string // "mma.sync f16", "wgmma", "ldmatrix"
	Target  lower.Target
	Kernels []*ptx.Func
	// Batches are the launches, in any order.
	Batches []Batch
	check   func(outs [][]uint32) Finding
}

// Module returns the module of the probe alone.
func (p *Probe) Module() *ptx.Module {
	return p.Target.Module(Decls(p)...)
}

// Decls returns the declarations of a module of probes: their kernels, and the dynamic shared memory once.
func Decls(probes ...*Probe) []ptx.Decl {
	var all []ptx.Decl
	adds := func(b Batch) bool { return b.Shared > 0 }
	if slices.ContainsFunc(probes, func(p *Probe) bool { return slices.ContainsFunc(p.Batches, adds) }) {
		all = append(all, memory)
	}
	for _, p := range probes {
		for _, k := range p.Kernels {
			all = append(all, k)
		}
	}
	return all
}

// A Batch is one launch of a kernel. Its parameters are the addresses of In and of the results. Each case has a block
// of Threads threads, each of which writes Words words.
type Batch struct {
	Kernel  string
	Threads int
	Cases   int
	Words   int
	In      []uint32
	Shared  int // bytes of dynamic shared memory
}

// A Finding is the result of the experiments.
type Finding struct {
	Cases  int
	Agrees bool
	// Digest is a checksum of the observed table, which lists the places that contribute to each result.
	Digest string
	// First describes the first difference between card and table.
	First string
	// Sums compares sums of random numbers, or is nil.
	Sums *SumsFinding
	// Descriptors lists random descriptors, each with the first digits of the digest of its elements: "4000004000010000
	// 0a1b2c3d".
	Descriptors []string
}

// A SumsFinding compares sums of random numbers with a model, bit for bit.
type SumsFinding struct {
	Model  string    `json:"model"`
	Sums   int       `json:"sums"`
	Agree  int       `json:"agree"`
	Digest string    `json:"digest"`          // the digest of the results
	First  string    `json:"first,omitempty"` // a description of the first wrong result
	Some   []Example `json:"examples,omitempty"`
}

// An Example is a sum as hexadecimal codes, separated by blanks.
type Example struct {
	Kind string `json:"kind"` // the kind of the random numbers
	A    string `json:"a"`
	B    string `json:"b"`
	C    string `json:"c"`
	D    string `json:"d"`
}

// Check compares the results of the batches, in order, with the tables.
func (p *Probe) Check(outs [][]uint32) Finding { return p.check(outs) }

// digest returns a checksum of observed tables.
func digest(tables ...[]int32) string {
	h := sha256.New()
	for _, t := range tables {
		b := make([]byte, 0, 4*len(t)+4)
		b = binary.LittleEndian.AppendUint32(b, uint32(len(t)))
		for _, x := range t {
			b = binary.LittleEndian.AppendUint32(b, uint32(x))
		}
		h.Write(b)
	}
	return hex.EncodeToString(h.Sum(nil)[:12])
}

// A builder builds a batch: a table of cases of four words each, the positions of their images in words.
type builder struct {
	kernel  string
	threads int
	words   int
	images  []uint32
	cases   [][4]int
}

// image adds an image and returns its position in the images; the table of cases comes before them.
func (b *builder) image(words []uint32) int {
	at := len(b.images)
	b.images = append(b.images, words...)
	for len(b.images)%4 != 0 { // pads to vectors of 16 bytes
		b.images = append(b.images, 0)
	}
	return at
}

func (b *builder) add(images ...int) {
	var c [4]int
	copy(c[:], images)
	b.cases = append(b.cases, c)
}

func (b *builder) batch() Batch {
	in := make([]uint32, 0, 4*len(b.cases)+len(b.images))
	for _, c := range b.cases {
		for _, at := range c {
			in = append(in, uint32(at+4*len(b.cases)))
		}
	}
	return Batch{Kernel: b.kernel, Threads: b.threads, Cases: len(b.cases), Words: b.words, In: append(in, b.images...)}
}

// kernelParts has the common beginning of all kernels.
type kernelParts struct {
	*ptx.Builder
	tid    ptx.Name
	images [4]ptx.Name // addresses of the images of this case
	out    ptx.Name    // address of the results of this thread
	words  int         // words of results per thread
}

// newKernel begins a kernel in which each thread writes the given number of words.
func newKernel(name string, threads, words int) *kernelParts {
	k := &kernelParts{Builder: ptx.NewKernel(ptx.Name(name)), words: words}
	in, out := k.Param(ptx.U64, "in"), k.Param(ptx.U64, "out")
	k.Direct("reqntid", int64(threads))
	k.tid = k.Let(ptx.U32, "mov.u32", ptx.Name("%tid.x"))
	block := k.Let(ptx.U32, "mov.u32", ptx.Name("%ctaid.x"))
	base := k.Let(ptx.U64, "ld.param.u64", ptx.Addr{Base: in})
	record := k.Let(ptx.U64, "mad.wide.u32", block, ptx.Int(16), base)
	at := k.Regs(ptx.U32, 4)
	k.Emit("ld.global.v4.u32", at, ptx.Addr{Base: record})
	for i := range at {
		k.images[i] = k.Let(ptx.U64, "mad.wide.u32", at[i], ptx.Int(4), base)
	}
	k.out = k.Let(ptx.U64, "ld.param.u64", ptx.Addr{Base: out})
	thread := k.Let(ptx.U32, "mad.lo.u32", block, ptx.Int(threads), k.tid)
	k.Emit("mad.wide.u32", k.out, thread, ptx.Int(4*words), k.out)
	return k
}

// of returns the address of this thread's words of an image.
func (k *kernelParts) of(image, words int) ptx.Name {
	return k.Let(ptx.U64, "mad.wide.u32", k.tid, ptx.Int(4*words), k.images[image])
}

// load writes loads of registers of some bits from this thread's words of an image.
func (k *kernelParts) load(regs ptx.Vec, bits, image, words int) {
	at := k.of(image, words)
	per, modifiers := vectors(len(regs), bits, words)
	for i := 0; i < len(regs); i += per {
		k.Emit("ld.global"+modifiers, vector(regs[i:i+per]), ptx.Addr{Base: at, Offset: int64(i * max(bits, 32) / 8)})
	}
}

// store writes stores of registers of some bits to the results of this thread.
func (k *kernelParts) store(regs ptx.Vec, bits int) {
	per, modifiers := vectors(len(regs), bits, k.words)
	for i := 0; i < len(regs); i += per {
		k.Emit("st.global"+modifiers, ptx.Addr{Base: k.out, Offset: int64(i * max(bits, 32) / 8)}, vector(regs[i:i+per]))
	}
}

// vectors returns how many of n registers are loaded or stored at once, as many as the alignment allows, and the
// modifiers for it.
func vectors(n, bits, words int) (per int, modifiers ptx.Op) {
	per = 1
	for per < 4 && n%(2*per) == 0 && words%(2*per*max(bits, 32)/32) == 0 && 2*per*bits <= 128 && bits >= 32 {
		per *= 2
	}
	if per > 1 {
		modifiers = ptx.Op(fmt.Sprintf(".v%d", per))
	}
	return per, modifiers + ptx.Op(fmt.Sprintf(".b%d", bits))
}

// vector returns the operand of registers that are loaded or stored at once.
func vector(regs ptx.Vec) ptx.Operand {
	if len(regs) == 1 {
		return regs[0]
	}
	return regs
}

// toShared emits a copy of an image, words long, to shared memory.
func (k *kernelParts) toShared(shared ptx.Name, image, words, threads int) {
	mine := ptx.Range{Type: ptx.U32, From: k.tid, To: ptx.Int(words / 4), Step: int64(threads)}
	k.For(mine, func(i ptx.Name) {
		from := k.Let(ptx.U64, "mad.wide.u32", i, ptx.Int(16), k.images[image])
		to := k.Let(ptx.U32, "mad.lo.u32", i, ptx.Int(16), shared)
		v := k.Regs(ptx.B32, 4)
		k.Emit("ld.global.v4.b32", v, ptx.Addr{Base: from})
		k.Emit("st.shared.v4.b32", ptx.Addr{Base: to}, v)
	})
}

// declareShared declares shared memory and returns its address.
func (k *kernelParts) declareShared(name string, words int) ptx.Name {
	size := []int64{int64(4 * words)}
	n := k.Declare(&ptx.Var{Space: ptx.Shared, Align: 1024, Type: ptx.B8, Name: ptx.Name(name), Dims: size})
	return k.Let(ptx.U32, "mov.u32", n)
}
