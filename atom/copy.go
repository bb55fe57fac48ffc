package atom

import (
	"fmt"
	"iter"
	"slices"
	"strconv"
	"strings"
	"sync"

	"girih/cute"
	"girih/dtype"
)

// A Copy is an instruction that moves data: a copy operation of CuTe with its Copy_Traits. Do not change the fields.
//
// The three layouts map (thread, bit) to the number of a bit that the instruction moves. The numbers only connect the
// two sides: a bit of the source goes to the bit of the destination with the same number. Modes of stride 0 are
// broadcast: several threads pass the same address, or one of them is enough. The tcgen05.cp that write what they read
// several times number the copies in the destination instead: value i of the destination is value i of the source.
type Copy struct {
	Operation
	ThrID cute.Layout // logical thread -> thread of the warp; for a pair of CTAs, -> CTA
	Src   cute.Layout // (thread, bit) of the source -> bit
	Dst   cute.Layout // (thread, bit) of the destination -> bit
	Ref   cute.Layout // equals Src or Dst: the thread-value layout of a [TiledCopy] describes this side
	Kind  CopyKind
	From  CopySide // what each thread provides on the source side
	To    CopySide // what each thread provides on the destination side
	// Note says what the layouts cannot express, or is "".
	Note string
}

// A CopySide is what one thread gives for the source or the destination of a copy: registers, or the
// address of Unit contiguous bits, a multiple of Align bits.
type CopySide struct {
	Space Space
	Unit  int64 // bits of a register, or contiguous bits at an address
	Count int   // registers, or addresses
	Align int64 // the alignment of the address in bits; 0 for registers
}

// Registers returns the number of 32-bit registers that the thread passes: 0 if the side is in memory, where the
// address alone takes one or two.
func (s CopySide) Registers() int {
	if s.Space != Registers {
		return 0
	}
	return int((s.Unit*int64(s.Count) + 31) / 32)
}

// A CopyKind groups copy operations by instruction.
type CopyKind uint8

// The kinds.
const (
	UniversalCopy CopyKind = iota // UniversalCopy: an assignment of one value in any memory.
	WideCopy                      // WideCopy: ld and st of 256 bits, sm100.
	ShuffleCopy                   // ShuffleCopy: shfl.sync between the registers of a warp.
	AsyncCopy                     // AsyncCopy: cp.async, from global to shared memory by one thread.
	MatrixCopy                    // MatrixCopy: ldmatrix, stmatrix, movmatrix, by a warp.
	BulkCopy                      // BulkCopy: cp.async.bulk, between global and shared memory.
	TensorCopy                    // TensorCopy: cp.async.bulk.tensor, the same with a tensor map: TMA.
	TMEMCopy                      // TMEMCopy: tcgen05.ld, tcgen05.st, tcgen05.cp, with tensor memory.
)

var copyKindNames = [...]string{"universal", "wide load and store", "shuffle", "cp.async", "matrix", "bulk", "TMA", "tensor memory"}

// String returns the kind in words: "matrix" for ldmatrix, stmatrix and movmatrix.
func (k CopyKind) String() string {
	if int(k) < len(copyKindNames) {
		return copyKindNames[k]
	}
	return fmt.Sprintf("CopyKind(%d)", uint8(k))
}

// Bits returns the number of bits that one instruction reads. A bit that several threads name counts once.
func (c Copy) Bits() int64 {
	distinct := cute.Filter(c.Src)
	return distinct.Size()
}

// Threads returns the number of threads (or CTAs) that execute the instruction together.
//
//go:noinline
func (c Copy) Threads() int64 { return c.ThrID.Size() }

// Copies returns the copy operations of CuTe 4.7, in the order of the architectures, and then AMD's transposed reads of
// LDS, by the names of its assembler. Operations with a parameter are
// listed as hardware has them: UniversalCopy for 8 to 128 bits, and cp.async for 4, 8 and 16 bytes. Bulk and TMA
// copies, whose parameter is the number of bits of one instruction, are listed with the smallest number, 128.
func Copies() iter.Seq[Copy] {
	return func(yield func(Copy) bool) {
		for _, c := range copyTable().all {
			if !yield(c) {
				return
			}
		}
	}
}

// CopyNames returns the names of [Copies], and the names without a parameter of the operations that take one.
func CopyNames() iter.Seq[string] { return slices.Values(copyTable().names) }

// FindCopy returns the copy operation of a name, spelled as in C++, with or without "cute::": "SM75_U32x4_LDSM_N",
// "UniversalCopy<uint128_t>", "UniversalCopy<cute::half_t>", "SM80_CP_ASYNC_CACHEGLOBAL<uint128_t>", "DefaultCopy".
// Bulk and TMA copies take the number of bits of one instruction, which CuTe calls NumBitsPerTMA:
// "SM90_TMA_LOAD<16384>".
//
// It returns [cute.CodeName] for an unknown name, with the nearest known ones as a hint, and for an unknown type;
// [cute.CodeType] if an operation needs a parameter and gets no parameter or a wrong one; and
// [cute.CodeNotDivisible] for a bulk copy of a number of bits that 128 does not divide.
func FindCopy(name string) (Copy, error) {
	table := copyTable()
	plain := canonicalName(name)
	if alias, ok := copyAliases[plain]; ok {
		plain = alias
	}
	if i, ok := table.byName[plain]; ok {
		return table.all[i], nil
	}
	family, args, has := strings.Cut(plain, "<")
	f, ok := copyFamilies[family]
	if !ok {
		return Copy{}, unknownName(opCopy, "copy operation", name, table.names)
	}
	args, closed := strings.CutSuffix(args, ">")
	if !has || !closed {
		return Copy{}, needsParameter(family, f)
	}
	return f.make(family, strings.Split(args, ","))
}

const opCopy = "copy_atom"

// copyAliases are the names that CuTe gives to instances (include/cute/arch/copy.hpp), and names of intrinsics of LLVM
// and ROCDL.
var copyAliases = map[string]string{
	"ds_read_tr16_b64": "ds_read_b64_tr_b16", "ds_read_tr8_b64": "ds_read_b64_tr_b8",
	"ds_read_tr4_b64": "ds_read_b64_tr_b4", "ds_read_tr6_b96": "ds_read_b96_tr_b6",
	"ds_load_b128_tr_b16": "ds_load_tr16_b128", "ds_load_b64_tr_b8": "ds_load_tr8_b64",
	"AutoVectorizingCopy": "AutoVectorizingCopyWithAssumedAlignment<128>",
	"DefaultCopy":         "AutoVectorizingCopyWithAssumedAlignment<8>",
}

// A copyFamily makes the instances of an operation with a parameter.
type copyFamily struct {
	parameter string   // the name of the parameter, with an article
	instances []string // the instances that are listed
	make      func(name string, args []string) (Copy, error)
}

func needsParameter(name string, f copyFamily) error {
	e := fail(cute.CodeType, opCopy, "%s needs %s in angle brackets", name, f.parameter)
	e.Hint = "for instance " + name + "<" + f.instances[0] + ">"
	return e
}

// copies is the table of all listed operations.
type copies struct {
	all    []Copy
	byName map[string]int
	names  []string // the names of all operations, and of families without their parameter
}

var copyTable = sync.OnceValue(func() copies {
	t := copies{byName: map[string]int{}}
	add := func(cs ...Copy) {
		for _, c := range cs {
			t.byName[c.Name] = len(t.all)
			t.names = append(t.names, c.Name)
			t.all = append(t.all, c)
		}
	}
	instances := func(families ...string) {
		for _, name := range families {
			f := copyFamilies[name]
			for _, arg := range f.instances {
				c, err := f.make(name, []string{arg})
				if err != nil {
					panic(err) // a row of the table is wrong; TestCopyTable makes every row
				}
				add(c)
			}
			t.names = append(t.names, name)
		}
	}
	instances("UniversalCopy", "AutoVectorizingCopyWithAssumedAlignment")
	add(shuffles()...)
	add(matrixCopies75()...)
	instances("SM80_CP_ASYNC_CACHEALWAYS", "SM80_CP_ASYNC_CACHEGLOBAL", "SM80_CP_ASYNC_CACHEALWAYS_ZFILL", "SM80_CP_ASYNC_CACHEGLOBAL_ZFILL")
	add(matrixCopies90()...)
	for _, r := range bulkRows {
		if r.name == autoBulk {
			add(r.copy(0))
		} else {
			instances(r.name)
		}
	}
	add(wideCopies()...)
	add(matrixCopies100()...)
	add(tmemCopies()...)
	add(amdTransposed()...)
	return t
})

// copyFamilies are the operations with a parameter, by name.
var copyFamilies = func() map[string]copyFamily {
	m := map[string]copyFamily{
		"UniversalCopy": {"the type of the value", []string{"uint8_t", "uint16_t", "uint32_t", "uint64_t", "uint128_t"}, universalCopy},
		"AutoVectorizingCopyWithAssumedAlignment": {
			"the alignment in bits: 8, 16, 32, 64 or 128", []string{"8", "16", "32", "64", "128"}, autoVectorizing,
		},
	}
	for _, level := range []string{"CACHEALWAYS", "CACHEGLOBAL"} {
		listed := []string{"uint32_t", "uint64_t", "uint128_t"}
		if level == "CACHEGLOBAL" {
			listed = listed[2:]
		}
		for _, fill := range []string{"", "_ZFILL"} {
			m["SM80_CP_ASYNC_"+level+fill] = copyFamily{"the type of the value", listed, asyncCopy}
		}
	}
	for _, r := range bulkRows {
		if r.name != autoBulk {
			m[r.name] = copyFamily{"the number of bits that one instruction moves", []string{"128"}, r.parse}
		}
	}
	return m
}()

// typeBits returns the width of the type of a template argument.
func typeBits(arg string) (int64, error) {
	if strings.TrimPrefix(strings.TrimSpace(arg), "cute::") == "uint256_t" {
		return 256, nil
	}
	t, err := dtype.Parse(arg)
	if err != nil {
		return 0, fail(cute.CodeName, opCopy, "%v", err)
	}
	return int64(t.Bits()), nil
}

// integerArgument reads a template argument that is a number: 128, Int<128>, _128, C<128>.
func integerArgument(arg string) (int64, bool) {
	s := strings.TrimPrefix(strings.TrimSpace(arg), "cute::")
	for _, p := range []string{"Int<", "C<"} {
		if rest, ok := strings.CutPrefix(s, p); ok {
			s = strings.TrimSuffix(rest, ">")
		}
	}
	n, err := strconv.ParseInt(strings.TrimPrefix(strings.TrimSuffix(s, "{}"), "_"), 10, 64)
	return n, err == nil
}

// bitLayout returns the layout of a format whose numbers are all known to be positive and small.
func bitLayout(format string, args ...any) cute.Layout {
	return cute.MustParse(fmt.Sprintf(format, args...))
}
