package diagnose

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"girih/internal/pattern"
	"girih/internal/why/condition"
	"girih/tensormap"
)

// A dump holds the arguments of a tensor map as a tool printed them.
type dump struct {
	fields     map[string]string // keyed by the field names in mapFields
	function   string            // the function that printed the dump, if the text names the function
	start, end int
}

// mapFields lists the tools' names for the arguments of a tensor map, in lower case without underscores, between bars.
// The names are from CUTLASS, TileLang, ThunderKittens, DeepGEMM and the driver.
var mapFields = []struct{ field, names string }{
	{"type", "|format|tmaformat|tensordatatype|datatype|dtype|type|elemtype|"},
	{"rank", "|dim|tmadim|tensorrank|rank|ndim|numdims|"},
	{"address", "|gmemaddress|globaladdress|globaladdr|gmemaddr|dataptr|"},
	{"dims", "|globaldim|globaldims|gmemdims|gmemdim|gmemshape|gmemprobshape|globalshape|shape|size|" +
		"sizes|tensorshape|"},
	{"strides", "|globalstrides|globalstride|gmemstride|gmemstrides|gmemprobstride|globalstridesraw|" +
		"stridebytes|stridesbytes|strides|stride|"},
	{"cuda strides", "|cudaglobalstrides|"},
	{"box", "|boxdim|boxdims|smembox|smemboxshape|smemshape|smemdims|box|boxsize|boxsizes|boxshape|" +
		"blockshape|tileshape|blocksize|"},
	{"steps", "|elementstrides|elementstride|elemstrides|smemboxstride|smemstride|"},
	{"interleave", "|interleave|tmainterleave|"},
	{"swizzle", "|swizzle|tmaswizzle|smemswizzle|swizzlemode|"},
	{"l2", "|l2promotion|tmal2promotion|l2promo|"},
	{"fill", "|oobfill|tmaoobfill|padding|"},
	{"pixels", "|smemboxpixel|pixelspercolumn|"},
	{"channels", "|smemboxchannel|channelsperpixel|"},
	{"lower", "|lowercorner|pixelboxlowercorner|"},
	{"upper", "|uppercorner|pixelboxuppercorner|"},
	{"size of an element", "|elemsize|elementsize|"},
}

// fieldOf returns the argument of a tensor map that a tool calls name, or "".
func fieldOf(name string) string {
	name = "|" + strings.ReplaceAll(strings.ToLower(name), "_", "") + "|"
	for _, f := range mapFields {
		if strings.Contains(f.names, name) {
			return f.field
		}
	}
	return ""
}

// reField finds a name and its value. The value is numbers in brackets, a list of numbers, an address, or a constant of
// the driver.
const reField = pattern.Pattern(`([A-Za-z_]\w*)\s*(?:\[\s*\d?\s*\])?\s*[:=]?\s*([\[({][-\d\s,xULul*]*[\])}]|0[xX][0-9a-fA-F]+|CU_TENSOR_MAP_\w+|-?\d+(?:(?:,\s*|\s+)-?\d+)*)`)

// reArray finds a C array with its length.
const reArray = pattern.Pattern(`(\w)\s*\[\s*\w*\s*\]\s*=`)

// descriptorHead is the beginning of the dump that CUTLASS prints.
const descriptorHead = "TMA Desc Addr:"

// reDeepGEMM finds the line that DeepGEMM and its successors print for a map.
const reDeepGEMM = pattern.Pattern(`(?i)global memory: (\d+) (\d+), shared memory: (\d+) (\d+), outer stride: (\d+), swizzle: (\d+).*?elem size: (\d+)`)

// dumps finds the arguments of tensor maps in a text, as names and values on nearby lines.
func dumps(text string) []dump {
	words := strings.ToLower(text[:min(len(text), 1<<20)])
	if !strings.Contains(words, "swizzle") && !strings.Contains(words, "boxdim") && !strings.Contains(words, "box_dim") {
		return nil
	}
	var d dumper
	d.flush()
	at := 0
	for line := range strings.Lines(text) {
		start := at
		at += len(line)
		if len(line) <= maxKnown {
			d.line(line, start)
		}
	}
	d.flush()
	return d.all
}

// A dumper collects dumps line by line.
type dumper struct {
	all   []dump
	cur   dump
	empty int // lines since the last line with an argument
}

// flush ends the current dump, and keeps the dump if it describes a map.
func (d *dumper) flush() {
	if d.cur.whole() && len(d.all) < maxFindings {
		d.all = append(d.all, d.cur)
	}
	d.cur = dump{fields: map[string]string{}}
}

// line reads a line; start is the line's byte offset in the text.
func (d *dumper) line(line string, start int) {
	if m := reDeepGEMM.FindStringSubmatch(line); m != nil {
		d.flush()
		d.cur = deepGEMM(m)
		d.cur.start, d.cur.end = start, start+len(line)
		d.flush()
		return
	}
	if strings.Contains(line, descriptorHead) {
		d.flush()
		d.cur.function = "make_tma_copy_desc (include/cute/atom/copy_traits_sm90_tma.hpp)"
	}
	found := fieldsOf(reArray.ReplaceAllString(line, "$1 ="))
	if len(found) == 0 {
		if d.empty++; d.empty > 4 {
			d.flush()
		}
		return
	}
	d.empty = 0
	for _, f := range found {
		d.add(f[0], f[1])
		if len(d.cur.fields) == 1 {
			d.cur.start = start
		}
		d.cur.end = start + len(strings.TrimRight(line, "\r\n"))
	}
}

// add adds an argument. A second, different type, shape or box begins the next map; any other argument that occurs
// twice keeps its first value.
func (d *dumper) add(name, value string) {
	old, ok := d.cur.fields[name]
	if ok && old != value && (name == "type" || name == "dims" || name == "box") {
		d.flush()
		ok = false
	}
	if !ok {
		d.cur.fields[name] = value
	}
}

// fieldsOf returns the names and values of the arguments on a line.
func fieldsOf(line string) [][2]string {
	var list [][2]string
	for _, m := range reField.FindAllStringSubmatch(line, 24) {
		name := fieldOf(m[1])
		if name == "" && strings.HasPrefix(m[2], "CU_TENSOR_MAP_") {
			continue
		}
		if name != "" {
			list = append(list, [2]string{name, m[2]})
		}
	}
	for _, m := range reDriver.FindAllStringSubmatch(line, 8) {
		name := map[string]string{"DATA_TYPE": "type", "SWIZZLE": "swizzle", "INTERLEAVE": "interleave"}[m[1]]
		if name != "" && !slices.ContainsFunc(list, func(f [2]string) bool { return f[0] == name }) {
			list = append(list, [2]string{name, m[0]})
		}
	}
	return list
}

const reDriver = pattern.Pattern(`CU_TENSOR_MAP_(DATA_TYPE|SWIZZLE|INTERLEAVE)_\w+`)

// whole reports whether the fields describe a tensor map, rather than happen to occur in some other text.
func (d dump) whole() bool {
	_, dims := d.fields["dims"]
	_, box := d.fields["box"]
	_, pixels := d.fields["channels"]
	_, swizzle := d.fields["swizzle"]
	_, strides := d.fields["strides"]
	return (box || pixels) && (dims || strides) && (swizzle || dims && strides) && len(d.fields) >= 3
}

// deepGEMM turns the numbers in DeepGEMM's line into fields.
func deepGEMM(m []string) dump {
	n, _ := integer(m[5])
	size, _ := integer(m[7])
	return dump{fields: map[string]string{
		"dims": m[1] + "," + m[2], "box": m[3] + "," + m[4], "strides": fmt.Sprint(n * size), "swizzle": m[6] + "B", "rank": "2",
		"size of an element": m[7],
	}}
}

// numbersOf returns the numbers in a value.
func numbersOf(value string) []int64 {
	var list []int64
	for _, s := range reProduct.FindAllString(value, 16) {
		product := int64(1)
		for _, n := range reNumbers.FindAllString(s, 8) {
			x, err := strconv.ParseInt(n, 10, 64)
			if err != nil || x != 0 && product > 1<<62/x {
				return nil
			}
			product *= x
		}
		if strings.HasPrefix(s, "-") {
			product = -product
		}
		list = append(list, product)
	}
	return list
}

// reProduct finds a number, or a product of numbers in C syntax.
const reProduct = pattern.Pattern(`-?\d+[ULul]*(?:\s*\*\s*\d+[ULul]*)*`)

// tensorMap makes a map from a dump. Arguments that the text lacks are set to values that break no rule.
func (d dump) tensorMap() (tensormap.Map, bool) {
	m := tensormap.Map{Type: d.elementType(), Dims: numbersOf(d.fields["dims"]), Box: numbersOf(d.fields["box"])}
	rank := len(m.Dims)
	if rank == 0 {
		rank = max(len(m.Box), len(numbersOf(d.fields["strides"])))
	}
	if n := numbersOf(d.fields["rank"]); len(n) == 1 && n[0] > 0 && n[0] <= 32 {
		rank = int(n[0])
	}
	if rank == 0 {
		return m, false
	}
	if d.fields["channels"] != "" {
		m.Mode, m.Box = tensormap.Im2col, nil
		m.Channels, m.Pixels = first(d.fields["channels"], 8), first(d.fields["pixels"], 1)
		m.Lower, m.Upper = lengthen(0, numbersOf(d.fields["lower"]), max(rank-2, 0)), lengthen(0,
			numbersOf(d.fields["upper"]), max(rank-2, 0))
	} else {
		m.Box = lengthen(1, m.Box, rank)
	}
	m.Dims = lengthen(128, m.Dims, rank)
	m.Strides = d.strides(rank, m.Type)
	if s := numbersOf(d.fields["steps"]); s != nil {
		m.Steps = lengthen(1, s, rank)
	}
	if a, err := strconv.ParseUint(strings.ToLower(d.fields["address"]), 0, 64); err == nil {
		m.Address = a
	}
	if s, err := tensormap.ParseSwizzle(d.fields["swizzle"]); err == nil {
		m.Swizzle = s
	} else if n := numbersOf(d.fields["swizzle"]); len(n) == 1 && n[0] > 6 && n[0] < 256 {
		m.Swizzle = tensormap.Swizzle(n[0])
	}
	m.Interleave = tensormap.Interleave(small(d.fields["interleave"], []string{"NONE", "16B", "32B"}))
	m.Promotion = tensormap.Promotion(small(d.fields["l2"], []string{"NONE", "64B", "128B", "256B"}))
	m.Fill = tensormap.Fill(small(d.fields["fill"], []string{"NONE", "NAN_REQUEST_ZERO_FMA"}))
	return m, true
}

// elementType returns the type of the elements, or some type of their size if the text gives only the size.
func (d dump) elementType() tensormap.Type {
	if t, err := tensormap.ParseType(d.fields["type"]); err == nil {
		return t
	}
	switch first(d.fields["size of an element"], 1) {
	case 2:
		return tensormap.UInt16
	case 4:
		return tensormap.UInt32
	case 8:
		return tensormap.UInt64
	}
	return tensormap.UInt8
}

// strides returns the strides of dimensions 1, 2, ... It drops the stride of dimension 0, which CUTLASS and TileLang
// print before them.
func (d dump) strides(rank int, t tensormap.Type) []int64 {
	if s := numbersOf(d.fields["cuda strides"]); len(s) == rank-1 {
		return s
	}
	s := numbersOf(d.fields["strides"])
	if len(s) >= rank && len(s) > 0 && (s[0] == t.Bits()/8 || s[0] == 0 || len(s) == 5 || len(s) == rank && s[0] < 16) {
		s = s[1:]
	}
	return lengthen(1<<20, s, max(rank-1, 0))
}

// lengthen returns n numbers: those in xs, then x for each missing one.
//
//go:noinline
func lengthen(x int64, xs []int64, n int) []int64 {
	out := slices.Repeat([]int64{x}, n)
	copy(out, xs)
	return out
}

// first returns the first number in a value, or x.
func first(value string, x int64) int64 {
	if n := numbersOf(value); len(n) > 0 {
		return n[0]
	}
	return x
}

// small reads a number, or a constant of the driver, which it recognizes by the end of the constant's name.
func small(value string, ends []string) uint8 {
	for i, e := range ends {
		if strings.HasSuffix(value, "_"+e) {
			return uint8(i)
		}
	}
	if n := numbersOf(value); len(n) == 1 && n[0] >= 0 && n[0] < 256 {
		return uint8(n[0])
	}
	return 0
}

// aboutMaps reports whether a message only repeats what the arguments of a map in the text show.
func aboutMaps(text string) bool {
	words := strings.ToLower(text)
	for _, w := range []string{
		"the tma descriptor", "tma descriptor arg", "cutensormapencode", "boxdim[", "globalstrides[", "globaldim[", "tma descriptor creation",
		"elementstrides[", "create tensor map",
	} {
		if strings.Contains(words, w) {
			return true
		}
	}
	return false
}

// descriptors checks the tensor maps in a text.
func (r *Report) descriptors(all []dump) {
	seen := map[string]int{}
	for _, d := range all {
		m, ok := d.tensorMap()
		if !ok || len(r.Findings) >= maxFindings {
			continue
		}
		if at, again := seen[m.String()]; again {
			r.Findings[at-1].Times++
			continue
		}
		seen[m.String()] = r.keep(d.finding(m))
	}
}

// finding returns a finding about the rules that the map breaks.
func (d dump) finding(m tensormap.Map) Finding {
	f := Finding{
		Tool: toolDriver, Op: m.Mode.Function(), Function: d.function, Message: "Failed to initialize the TMA descriptor",
		Times: 1, Start: d.start, End: d.end,
		Demand: "the driver takes a map that keeps all rules of its documentation (girih tma checks one before it is made)",
	}
	m = d.ofSomeType(m)
	for _, x := range m.Fields() {
		if given, ok := d.givenText(x.Name, x.Value); ok {
			f.operand(x.Name, given)
		}
	}
	addBroken(&f, m)
	if !d.hasType() {
		f.missing("the type of the elements: the rules were checked for types of 1, 2, 4 and 8 bytes, and the type that breaks the fewest is shown")
	}
	if f.Condition == "" {
		f.Condition = "no rule is broken"
		what := "the number after the message (1 is CUDA_ERROR_INVALID_VALUE) and the versions of driver and GPU: with these arguments the map " +
			"keeps all rules of the driver's documentation"
		if a, ok := d.fields["address"]; ok && m.Address == 0 {
			f.Condition = "no rule of the documentation is broken, but globalAddress is " + a + ": a tensor that was never allocated"
			f.repair(Repair{Say: "allocate the tensor before the map is made, and look for an earlier error of the allocation"})
		}
		f.missing(what)
	}
	return f
}

// hasType reports whether the text gives the type of the elements, or their size.
func (d dump) hasType() bool {
	_, err := tensormap.ParseType(d.fields["type"])
	return err == nil || d.fields["size of an element"] != ""
}

// ofSomeType returns the map, with the type that breaks the fewest rules if the text gives no type.
func (d dump) ofSomeType(m tensormap.Map) tensormap.Map {
	if d.hasType() {
		return m
	}
	best := m
	for _, t := range []tensormap.Type{tensormap.UInt16, tensormap.UInt32, tensormap.UInt64} {
		if m.Type = t; len(m.Check()) < len(best.Check()) {
			best = m
		}
	}
	return best
}

// shown maps the arguments that a finding shows to their fields in a dump.
var shown = map[string]string{
	"tensorDataType": "type", "globalDim": "dims", "globalStrides": "strides", "boxDim": "box", "channelsPerPixel": "channels",
	"swizzle": "swizzle",
}

// givenText returns an argument as text, with "not given" for numbers that the text lacks.
func (d dump) givenText(name, value string) (string, bool) {
	field, ok := shown[name]
	if !ok {
		return "", false
	}
	has := d.fields[field]
	if field == "strides" && has == "" {
		has = d.fields["cuda strides"]
	}
	if field == "type" && d.hasType() {
		return value, true
	}
	if has == "" {
		return "not given", true
	}
	if n := len(numbersOf(has)); strings.HasPrefix(value, "{") && n > 0 {
		if list := strings.Split(strings.Trim(value, "{}"), ", "); n < len(list) {
			for i := n; i < len(list); i++ {
				list[i] = "not given"
			}
			value = "{" + strings.Join(list, ", ") + "}"
		}
	}
	return value, true
}

// addBroken adds to a finding the rules that a map breaks.
func addBroken(f *Finding, m tensormap.Map) {
	var why, demand []string
	for _, b := range m.Check() {
		why = append(why, b.Text)
		if s := b.Rule.Says(); !slices.Contains(demand, s) {
			demand = append(demand, s)
		}
		f.repair(Repair{Say: b.Change})
	}
	for _, k := range m.Remarks() {
		if k.Fatal {
			why = append(why, k.Text)
			demand = append(demand, k.Source)
		}
	}
	if len(why) > 0 {
		f.Condition, f.Demand = strings.Join(why, "; "), strings.Join(demand, "; ")
		if f.Function == "" {
			f.Function = m.Mode.Function() + " (CUDA Driver API, Tensor Map Object Management)"
		}
	}
}

// demandOf returns what the rules demand, in words.
func demandOf(rules ...tensormap.Rule) string {
	parts := make([]string, len(rules))
	for i, r := range rules {
		parts[i] = r.Says()
	}
	return strings.Join(parts, "; ")
}

const (
	reRows = pattern.Pattern(`(?i)at least (\d+) (rows|columns),? but got (\d+)`)
)

// tmaTritonStride examines strides of a tensor descriptor that are given in elements.
func tmaTritonStride(f *failure) {
	f.repair(Repair{Say: "pad the rows: allocate the tensor with a last extent rounded up to 16 bytes (8 elements of 16 bits, 16 of 8) and slice it; " +
		"or load with pointers and a mask"})
	if v, ok := condition.Judge(f.statement()); ok && (len(v.Fails) > 0 || len(v.Missing) > 0 &&
		strings.HasPrefix(v.Missing[0], "the type")) {
		demand := f.Demand
		f.verdict(v)
		f.Demand = demand
		return
	}
	f.missing("the strides and the type of the tensor: print(t.stride(), t.dtype); girih tma 'SHAPE:STRIDE' --box BLOCK --type TYPE checks them")
}

func tmaSlice(f *failure) {
	f.repair(Repair{Say: "begin at a multiple of 16 bytes, 8 elements of 16 bits: slice the tensor by that, or pass the offset as coordinates of the block"})
	f.missing("the offset in elements and the type: print(t.storage_offset(), t.dtype)")
}

func tmaContiguous(f *failure) {
	f.repair(Repair{Say: "pass the transposed tensor (t.T) with its extents, strides and block exchanged, and transpose the block after the load; or t.contiguous()"})
}

func tmaObject(f *failure) {
	f.repair(Repair{Say: "alignas(64) CUtensorMap map; to the kernel as const __grid_constant__ CUtensorMap: it has that alignment then"})
}

const (
	reSmemStride = pattern.Pattern(`mode (\d+) is\s+(\d+) bits, not a multiple of the required (\d+)-bit`)
	reAlignment  = pattern.Pattern(`Alignment([ABCD]) ?= ?(\d+)`)
)

// tmaSharedStride examines a shared memory layout that the CuTe DSL refuses to partition.
func tmaSharedStride(f *failure) {
	if s := reSmemStride.FindStringSubmatch(oneLine(f.m.text + " " + f.m.body)); s != nil {
		f.Condition = fmt.Sprintf("mode %s of shared memory has a stride of %s bits, no multiple of %s: instructions would begin "+
			"between multiples of 16 bytes", s[1], s[2], s[3])
	}
	f.repair(Repair{Say: "put the contiguous mode into the part that one instruction copies: group the modes of the tile into mode 0 " +
		"(cute.group_modes(sA, 0, 2)) before tma_partition, and leave the stages in the modes after it"})
	f.missing("the layouts: girih tma 'GLOBAL' --smem 'SHARED' --type TYPE shows the box and the instructions")
}

// tmaAlignment examines the alignments given to a CUTLASS builder.
func tmaAlignment(f *failure) {
	var list []string
	for _, s := range reAlignment.FindAllStringSubmatch(f.m.text+"\n"+f.m.body, 8) {
		if t := "Alignment" + s[1] + " = " + s[2]; !slices.Contains(list, t) {
			list = append(list, t)
		}
	}
	if len(list) > 0 {
		f.Condition = strings.Join(list, ", ") + ": times the bits of an element one of them is no multiple of 128"
	}
	f.repair(Repair{Say: "give alignments of 16 bytes, in elements: 128 / sizeof_bits<Element>::value, which is 8 for 16 bits, 16 for 8; " +
		"where the leading dimension does not keep that, pad it, or take a cp.async kernel (KernelCpAsyncWarpSpecialized)"})
}

// tmaRows examines a block that is smaller than one repeat of the swizzle.
func tmaRows(f *failure) {
	if s := reRows.FindStringSubmatch(f.m.text); s != nil {
		f.Condition = fmt.Sprintf("the block has %s %s, at least %s are needed", s[3], s[2], s[1])
		f.repair(Repair{Say: fmt.Sprintf("a block of %s %s: what is outside the tensor is filled with zeros, and stores "+
			"leave it out", s[1], s[2])})
		return
	}
	f.repair(Repair{Say: "a block of 8 rows or more: what is outside the tensor is filled with zeros, and stores leave it out"})
	f.missing("the block: block_shape of the descriptor")
}
