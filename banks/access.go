package banks

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"girih/cute"
)

// An Op is the operation of an instruction on shared memory.
type Op uint8

// The operations.
const (
	Load        Op = iota + 1 // Load: ld.shared, LDS, ds_read; every lane reads bits from its address.
	Store                     // Store: st.shared, STS, ds_write; every lane writes bits to its address.
	LoadMatrix                // LoadMatrix: ldmatrix; every lane has the address of a row of 16 bytes.
	StoreMatrix               // StoreMatrix: stmatrix; every lane has the address of a row of 16 bytes.
	// CopyAsync: cp.async; shared memory writes the copy of each lane separately.
	CopyAsync
	Atomic   // Atomic: atom.shared, ATOMS; every lane reads, changes and writes the bits at its address.
	Reduce   // Reduce: red.shared; the same as Atomic, but it returns nothing.
	BulkCopy // BulkCopy: cp.async.bulk; one thread copies a run of bytes. Only [Target.GlobalRule] accepts it.
)

// isMatrix reports whether the addresses are addresses of matrix rows.
func (o Op) isMatrix() bool { return o == LoadMatrix || o == StoreMatrix }

// An Access is a shared-memory instruction without addresses. Equal instructions are equal as values; the zero Access
// is not an instruction. [ParseAccess] reads one.
type Access struct {
	op       Op
	bits     int // bits at the address of one lane: 8 to 128; for a bulk copy, the size of the whole copy
	matrices int // for ldmatrix and stmatrix: 1, 2 or 4
	trans    bool
	amd      bool // the name is from AMD's instruction set
	exchange int  // for transposed reads of AMD: the bits of the elements that lanes exchange after the read
	cg       bool // cp.async.cg, which bypasses the L1
	atomic   int  // for atom and red: 1 + the index in atomics
}

// Op returns the operation.
func (a Access) Op() Op { return a.op }

// alignment returns the alignment of one lane's address, in bits.
func (a Access) alignment() int {
	if a.op == BulkCopy {
		return 8 * bulkBytes
	}
	return a.bits
}

// alignedText says why one lane's address must be aligned, in words that follow "the bytes that".
func (a Access) alignedText() string {
	if a.op == BulkCopy {
		return "the addresses of " + a.String() + " are multiples of"
	}
	return a.String() + " moves"
}

// Bits returns the number of bits at one lane's address: 8, 16, 32, 64 or 128; 128 for a row of a matrix. For a bulk
// copy it is the size of the whole copy.
func (a Access) Bits() int { return a.bits }

// Matrices returns the number of 8x8 matrices of ldmatrix and stmatrix: 1, 2 or 4; 0 for other operations.
func (a Access) Matrices() int { return a.matrices }

// Transposed reports whether elements are transposed between memory and registers. Bank conflicts do not depend on it.
func (a Access) Transposed() bool { return a.trans || a.exchange > 0 }

// String returns the canonical name: "ld.32", "st.128", "ldmatrix.x4.trans", "cp.async.16", "ds_read_b64".
func (a Access) String() string {
	switch a.op {
	case Load, Store:
		name := a.stem() + strconv.Itoa(a.bits)
		if a.exchange > 0 {
			name += "_tr_b" + strconv.Itoa(a.exchange)
		}
		return name
	case LoadMatrix, StoreMatrix:
		name := a.stem() + strconv.Itoa(a.matrices)
		if a.trans {
			name += ".trans"
		}
		return name
	case CopyAsync, BulkCopy:
		return a.stem() + strconv.Itoa(a.bits/8)
	case Atomic, Reduce:
		return a.atomicName()
	}
	return "none"
}

// stem returns the part of the canonical name before the number, for accesses that are not atomic: "ld.", "ds_read_b",
// "ldmatrix.x".
func (a Access) stem() string {
	switch {
	case a.amd && a.op == Store:
		return "ds_write_b"
	case a.amd && a.bits < 32:
		return "ds_read_u"
	case a.amd:
		return "ds_read_b"
	case a.op == Load:
		return "ld."
	case a.op == Store:
		return "st."
	case a.op == LoadMatrix:
		return "ldmatrix.x"
	case a.op == StoreMatrix:
		return "stmatrix.x"
	case a.op == BulkCopy:
		return "cp.async.bulk."
	case a.cg:
		return "cp.async.cg."
	}
	return "cp.async."
}

// accessHint lists the spellings.
const accessHint = "known are ld and st (one element), ld.v2, ld.v4, st.v2, st.v4 (2 or 4 elements), ld.BITS and st.BITS (8, 16, 32, 64, 128 bits), " +
	"ldmatrix.x1, .x2, .x4 and stmatrix.x1, .x2, .x4 with or without .trans, cp.async.4, .8, .16 (bytes), " +
	"cp.async.bulk.BYTES (a multiple of 16), " +
	"atom.OP.TYPE and red.OP.TYPE (add.u32, min.s32, exch.b64, cas.b32, ...), and ds_read_bBITS, ds_write_bBITS"

// ParseAccess reads an instruction in the spelling of PTX, SASS or AMD's assembler, in upper or lower case: "ld.v4",
// "st.32", "ld.shared.v2.f32", "LDS.128", "ldmatrix.x4.trans", "ldmatrix.sync.aligned.m8n8.x2.shared.b16",
// "cp.async.16", "atom.shared.add.u32", "cp.async.bulk.4096", "ds_read_b128", "ds_read_b64_tr_b16". ld and st without a
// number of bits move elements of elemBits bits, unless the text names a type (.f32, .b64); elemBits is 0 if there is
// no element type.
//
// It returns [cute.CodeName] for an unknown name, with a list of the known ones, and [cute.CodeNotDivisible] if one
// lane does not move 8, 16, 32, 64 or 128 bits, or a bulk copy does not move a multiple of 16 bytes. 96-bit accesses
// are refused: PTX does not have them in shared memory, and how NVIDIA's machines serve LDS.96 is neither documented
// nor measured. Accesses to the shared memory of another block of a cluster are refused too, because banks do not serve
// them.
func ParseAccess(text string, elemBits int) (Access, error) {
	name := strings.ToLower(strings.TrimSpace(text))
	if strings.HasPrefix(name, "ds_") {
		return parseDS(name, text)
	}
	parts := strings.Split(name, ".")
	m := mnemonic{text: text, head: parts[0], modifiers: parts[1:]}
	switch m.head {
	case "ld", "st", "lds", "sts":
		return parseLoadStore(m, elemBits)
	case "ldmatrix", "stmatrix", "ldsm", "stsm":
		return parseMatrix(m)
	case "cp":
		return parseCopyAsync(m)
	case "atom", "red":
		return parseAtomic(m)
	}
	return Access{}, m.unknown("")
}

// A mnemonic is the name of an instruction, cut at its dots.
type mnemonic struct {
	text      string // the whole name that the caller gave
	head      string
	modifiers []string
}

// unknown refuses the name; why begins with a colon, or is "".
func (m mnemonic) unknown(why string) error {
	return refuse(cute.CodeName, accessHint, "expected a shared-memory instruction, found %q%s", clip(m.text), why)
}

// unfinishedError refuses an incomplete name, and suggests a complete one.
func (m mnemonic) unfinishedError(why, end string) error {
	return refuse(cute.CodeName, fmt.Sprintf("did you mean %s%s?", clip(m.text), end),
		"expected a shared-memory instruction, found %q: %s", clip(m.text), why)
}

// clip shortens text that an error repeats.
func clip(s string) string {
	if len(s) > 60 {
		return s[:57] + "..."
	}
	return s
}

// parseLoadStore reads the modifiers of ld, st, LDS and STS. The width is a number of bits, or a vector of elements.
func parseLoadStore(m mnemonic, elemBits int) (Access, error) {
	a := Access{op: Load}
	if m.head[0] == 's' {
		a.op = Store
	}
	w := laneWidth{sass: len(m.head) == 3}
	for _, p := range m.modifiers {
		if why := w.read(p); why != "" {
			return Access{}, m.unknown(why)
		}
	}
	switch {
	case w.bits == 0 && w.sass:
		w.bits = 32
	case w.bits == 0 && elemBits <= 0:
		return Access{}, refuse(cute.CodeType, "give the type of an element, or the number of bits as in ld.32",
			"%s moves elements, and their type is not given", clip(m.text))
	case w.bits == 0:
		w.bits = elemBits
	}
	a.bits = w.bits * max(w.vector, 1)
	if err := checkBits(a.bits, m.text); err != nil {
		return Access{}, err
	}
	return a, nil
}

// A laneWidth records what the modifiers of a load or store say about the width of one lane's access.
type laneWidth struct {
	sass   bool // the name is spelled as in SASS, whose modifiers differ from PTX
	vector int  // the number of elements; 0 if no modifier states it
	bits   int  // the size of an element; 0 if no modifier states it
}

// read reads the next modifier. If it cannot, it returns the reason, beginning with a colon.
func (w *laneWidth) read(p string) (why string) {
	switch p {
	case "shared::cluster":
		return remote
	case "v8":
		return ": .v8 is for global memory only"
	case "shared", "shared::cta", "cta", "volatile", "weak", "relaxed":
		if !w.sass {
			return ""
		}
	case "u":
		if w.sass {
			return ""
		}
	case "v1", "v2", "v4":
		if !w.sass && w.vector == 0 && w.bits == 0 {
			w.vector = int(p[1] - '0')
			return ""
		}
	default:
		if n, ok := w.number(p); ok {
			w.bits = n
			return ""
		}
	}
	return fmt.Sprintf(": %q is not understood", clip(p))
}

// number returns the bits of a type such as f32, or a bare number of bits; ok is false if p is neither, or not allowed
// after the modifiers so far. A vector needs a type.
func (w *laneWidth) number(p string) (bits int, ok bool) {
	typed := len(p) > 1 && strings.ContainsRune("bfus", rune(p[0]))
	if typed {
		p = p[1:]
	}
	bits, err := strconv.Atoi(p)
	return bits, err == nil && bits > 0 && bits <= 1024 && w.bits == 0 && (typed || w.vector == 0)
}

// checkBits refuses a width that no instruction has.
func checkBits(bits int, text string) error {
	switch bits {
	case 8, 16, 32, 64, 128:
		return nil
	case 96:
		return refuse(cute.CodeNotDivisible, "NVIDIA's have vectors of 2 and 4 elements: .v3 is none (PTX ISA, vectors)",
			"%s moves 96 bits a lane; the phases of such accesses are published for reads of gfx950 only, and are not modelled",
			clip(text))
	}
	hint := "use ld.v2, ld.v4 or a number of bits, as in ld.128"
	if bits > 128 {
		hint = "use a narrower vector, or a number of bits, as in ld.128"
	}
	return refuse(cute.CodeNotDivisible, hint,
		"%s moves %d bits a lane, a shared-memory instruction moves 8, 16, 32, 64 or 128", clip(text), bits)
}

// parseMatrix reads the modifiers of ldmatrix and stmatrix (PTX ISA, sections ldmatrix and stmatrix): only .m8n8 with
// .b16.
func parseMatrix(m mnemonic) (Access, error) {
	a := Access{op: LoadMatrix, bits: 128}
	if m.head[0] == 's' {
		a.op = StoreMatrix
	}
	for _, p := range m.modifiers {
		switch p {
		case "sync", "aligned", "m8n8", "shared", "shared::cta", "b16", "16":
		case "x1", "x2", "x4", "1", "2", "4":
			if a.matrices != 0 {
				return Access{}, m.unknown(": it has two numbers of matrices")
			}
			a.matrices = int(p[len(p)-1] - '0')
		case "trans", "t", "m88", "mt88":
			a.trans = a.trans || p != "m88"
		case "m16n16", "m8n16", "m16n8", "b8", "b8x16":
			return Access{}, m.unknown(": only the 8x8 matrices of 16-bit elements are known")
		default:
			return Access{}, m.unknown(fmt.Sprintf(": %q is not understood", clip(p)))
		}
	}
	if a.matrices == 0 {
		return Access{}, m.unfinishedError("how many matrices? .x1, .x2 or .x4", ".x4")
	}
	return a, nil
}

// parseCopyAsync reads the rest of a name after cp: async, modifiers, and the number of bytes.
func parseCopyAsync(m mnemonic) (Access, error) {
	if len(m.modifiers) == 0 || m.modifiers[0] != "async" {
		return Access{}, m.unknown("")
	}
	if len(m.modifiers) > 1 && m.modifiers[1] == "bulk" {
		return parseBulk(m)
	}
	a := Access{op: CopyAsync}
	for _, p := range m.modifiers[1:] {
		switch p {
		case "cg":
			a.cg = true
		case "ca", "shared", "shared::cta", "global":
		case "4", "8", "16":
			bytes, err := strconv.Atoi(p)
			if err != nil || a.bits != 0 {
				return Access{}, m.unknown(": it has two sizes")
			}
			a.bits = 8 * bytes
		default:
			return Access{}, m.unknown(fmt.Sprintf(": %q is not understood", clip(p)))
		}
	}
	if a.bits == 0 {
		return Access{}, m.unfinishedError("how many bytes? .4, .8 or .16", ".16")
	}
	if a.cg && a.bits != 128 {
		return Access{}, m.unknown(": .cg copies 16 bytes")
	}
	return a, nil
}

// bulkModifiers are the modifiers that PTX writes between cp.async.bulk and the operands.
var bulkModifiers = []string{
	"shared", "shared::cta", "shared::cluster", "global", "bulk_group", "mbarrier::complete_tx::bytes",
}

// parseBulk reads the rest of a name after cp.async.bulk: modifiers and the number of bytes. Copies of tensors are not
// read, since their map is not in the name.
func parseBulk(m mnemonic) (Access, error) {
	bytes := int64(0)
	modifiers := m.modifiers[2:]
	for _, p := range modifiers {
		n, err := strconv.ParseInt(p, 10, 64)
		switch {
		case err == nil && bytes == 0 && n > 0:
			bytes = n
		case err == nil:
			return Access{}, m.unknown(": it has two sizes, or none that is positive")
		case !slices.Contains(bulkModifiers, p):
			return Access{}, m.unknown(fmt.Sprintf(": %q is not understood", clip(p)))
		}
	}
	if slices.Contains(modifiers, "shared::cta") && slices.Contains(modifiers, "shared::cluster") {
		return Access{}, m.unknown(": a copy from block to block has no side in global memory")
	}
	if bytes == 0 {
		return Access{}, m.unfinishedError("how many bytes? A multiple of 16", ".4096")
	}
	if err := checkBulk(bytes); err != nil {
		return Access{}, err
	}
	return Access{op: BulkCopy, bits: int(8 * bytes)}, nil
}

// parseTransposed reads the width and the element of one of AMD's transposed reads.
func parseTransposed(width, element, text string, known error) (Access, error) {
	if width == "b96" && element == "6" {
		return Access{}, checkBits(96, text)
	}
	if exchange, ok := map[string]int{"16": 16, "8": 8, "4": 4}[element]; ok && width == "b64" {
		return Access{op: Load, bits: 64, amd: true, exchange: exchange}, nil
	}
	return Access{}, known
}

// parseDS reads AMD's names: ds_read_b128, ds_write_b32, ds_read_u16, and also ds_load and ds_store, the spelling of
// later assemblers.
func parseDS(name, text string) (Access, error) {
	known := refuse(cute.CodeName, "known are ds_read_b32, ds_read_b64, ds_read_b128, ds_read_u8, ds_read_u16, ds_read_b64_tr_b16, _b8 and _b4, ds_write_b8, ds_write_b16, ds_write_b32, ds_write_b64, ds_write_b128",
		"expected an LDS instruction, found %q", clip(text))
	for prefix, op := range map[string]Op{"ds_read_": Load, "ds_load_": Load, "ds_write_": Store, "ds_store_": Store} {
		width, ok := strings.CutPrefix(name, prefix)
		if !ok {
			continue
		}
		if width, element, ok := strings.Cut(width, "_tr_b"); ok {
			if op != Load {
				return Access{}, known
			}
			return parseTransposed(width, element, text, known)
		}
		if len(width) < 2 || !strings.ContainsRune("bui", rune(width[0])) {
			return Access{}, known
		}
		bits, err := strconv.Atoi(width[1:])
		if err != nil || width[0] != 'b' && bits > 16 {
			return Access{}, known
		}
		if err := checkBits(bits, text); err != nil {
			return Access{}, err
		}
		return Access{op: op, bits: bits, amd: true}, nil
	}
	return Access{}, known
}
