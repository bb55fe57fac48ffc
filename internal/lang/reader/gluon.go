package reader

import (
	"slices"
	"strings"
)

// This file reads the layout classes of Gluon, as calls: BlockedLayout([1, 4], [32, 1], [4, 1], [1, 0]) is
// blocked{sizePerThread=[1,4], ...}. A row of gluonTypes names the arguments.

// A gluonType maps a layout class of Gluon to an encoding of Triton. Its forms are the signatures of the class, the
// present signature first. A signature lists its parameters as keyword:type, or as keyword:type=field if the field of
// the encoding has a name that fieldName does not give.
type gluonType struct {
	name  string
	forms []string
}

// older are the former parameters of a cluster. Clusters are now given by bases.
const older = " ctas_per_cga:ints cta_split_num:ints cta_order:ints"

// gluonTypes are the layout classes of Gluon (triton/experimental/gluon/language/_layouts.py, amd/_layouts.py,
// nvidia/blackwell/__init__.py), of TLX and of Triton's frontend.
var gluonTypes = map[string]gluonType{
	"BlockedLayout": {"blocked", []string{
		"size_per_thread:ints threads_per_warp:ints warps_per_cta:ints order:ints cga_layout:bases",
		"size_per_thread:ints threads_per_warp:ints warps_per_cta:ints order:ints" + older,
	}},
	"SliceLayout":      {"slice", []string{"dim:int parent:any"}},
	"DotOperandLayout": {"dot_op", []string{"operand_index:int parent:any k_width:int"}},
	"NVMMADistributedLayout": {"nvidia_mma", []string{
		"version:ints warps_per_cta:ints instr_shape:ints cga_layout:bases",
		"version:ints warps_per_cta:ints instr_shape:ints" + older,
	}},
	"NVMMASharedLayout": {"nvmma_shared", []string{
		"swizzle_byte_width:int element_bitwidth:int rank:int transposed:bool fp4_padded:bool cga_layout:bases",
		"swizzle_byte_width:int element_bitwidth:int rank:int transposed:bool fp4_padded:bool" + older,
	}},
	"SwizzledSharedLayout": {"swizzled_shared", []string{
		"vec:int per_phase:int max_phase:int order:ints cga_layout:bases",
		"vec:int per_phase:int max_phase:int order:ints" + older,
	}},
	"PaddedSharedLayout": {"padded_shared", []string{
		"interval_padding_pairs:bases offset_bases:bases cga_layout:bases=block shape:ints",
		"interval_padding_pairs:bases order:ints" + older,
	}},
	"with_identity_for":       {"padded_shared", []string{"interval_padding_pairs:bases shape:ints order:ints cga_layout:bases=block"}},
	"PartitionedSharedLayout": {"partitioned_shared", []string{"num_partitions:int num_groups:int partition_dim:int partition_layout:any"}},
	"SharedLinearLayout":      {"shared_linear", []string{"offset_bases:bases block_bases:bases alignment:int"}},
	"AMDMFMALayout": {"amd_mfma", []string{
		"version:int instr_shape:ints transposed:bool warps_per_cta:ints element_bitwidth:int tiles_per_warp:ints cga_layout:bases",
		"version:int warps_per_cta:ints instr_shape:ints transposed:bool" + older + " tiles_per_warp:ints element_bitwidth:int",
	}},
	"AMDWMMALayout": {"amd_wmma", []string{
		"version:int transposed:bool warp_bases:bases=warpBases reg_bases:bases=regBases instr_shape:ints cga_layout:bases rank:int",
		"version:int transposed:bool warps_per_cta:ints instr_shape:ints", // followed by tiles_per_warp or ctas_per_cga
	}},
	"TensorMemoryLayout": {"tensor_memory", []string{
		"block:ints col_stride:int cga_layout:bases two_ctas:bool fp4_padded:bool",
		"block:ints col_stride:int cta_split_num:ints two_ctas:bool",
		"block:ints unpacked:bool cta_split_num:ints",
	}},
	"TensorMemoryScalesLayout":        {"tensor_memory_scales", []string{"cga_layout:bases", "cta_split_num:ints"}},
	"CoalescedLayout":                 {"coalesced", []string{""}},
	"AutoLayout":                      {"auto", []string{""}},
	"BlockedEncoding":                 {"blocked", []string{"size_per_thread:ints threads_per_warp:ints warps_per_cta:ints order:ints"}},
	"BlockedEncodingAttr":             {"blocked", []string{"size_per_thread:ints threads_per_warp:ints warps_per_cta:ints order:ints"}},
	"SwizzledSharedEncoding":          {"swizzled_shared", []string{"vec:int per_phase:int max_phase:int order:ints"}},
	"swizzled_shared_layout":          {"swizzled_shared", []string{"vec:int per_phase:int max_phase:int order:ints"}},
	"swizzled_shared_layout_encoding": {"swizzled_shared", []string{"vectorSize:int perPhase:int maxPhase:int order:ints numCTAs:any numCTAsPerCGA:any numCTASplit:any numCTAOrder:any"}},
	"nv_mma_shared_layout_encoding":   {"nvmma_shared", []string{"shape:any order:any elemType:any numCTAsPerCGA:any numCTASplit:any numCTAOrder:any fp4Padded:any"}},
}

// gluonKeys are the keywords whose field name is not simply the keyword in camel case.
var gluonKeys = map[string]string{
	"operand_index": "opIdx", "swizzle_byte_width": "swizzlingByteWidth", "element_bitwidth": "elementBitWidth",
	"warps_per_cta": "warpsPerCTA",
	"ctas_per_cga":  "CTAsPerCGA", "cta_split_num": "CTASplitNum", "cta_order": "CTAOrder", "interval_padding_pairs": "intervals",
	"cga_layout": "CGALayout", "reg_bases": "register", "lane_bases": "lane", "warp_bases": "warp", "block_bases": "block",
	"offset_bases": "offset",
	"two_ctas":     "twoCTAs",
}

// A gluonParam is a parameter of a signature: its keyword, the type of its arguments, and the name of its field.
type gluonParam struct{ key, takes, field string }

// paramsOf returns the parameters of a signature.
func paramsOf(form string) []gluonParam {
	var list []gluonParam
	for s := range strings.FieldsSeq(form) {
		key, takes, _ := strings.Cut(s, ":")
		takes, field, ok := strings.Cut(takes, "=")
		if !ok {
			field = fieldName(key)
		}
		list = append(list, gluonParam{key, takes, field})
	}
	return list
}

// takesArgument reports whether an argument fits the type of a parameter. Source that is not a literal fits every type.
func (g gluonParam) takesArgument(a *node) bool {
	lists := func(k *node) bool { return k.kind == nodeList }
	switch {
	case isNone(a):
		return true
	case a.kind == nodeInt:
		return g.takes == "int" || g.takes == "any"
	case a.kind == nodeSym && (a.text == "True" || a.text == "False"):
		return g.takes == "bool" || g.takes == "any"
	case a.kind == nodeRecord:
		return g.takes == "any"
	case a.kind == nodeList || a.kind == nodeTuple:
		switch {
		case g.takes == "ints":
			return !slices.ContainsFunc(a.kids, lists)
		case g.takes == "bases":
			return len(a.kids) == 0 || !slices.ContainsFunc(a.kids, func(k *node) bool {
				return k.kind == nodeInt || k.kind == nodeTuple
			})
		}
		return g.takes == "any"
	}
	return true
}

func isNone(a *node) bool { return a.kind == nodeWild || a.kind == nodeSym && a.text == "None" }

// assign returns the parameter of each argument, or nil if the arguments do not fit the signature. A keyword outside
// the signature names its field, if the caller knows it.
func assign(params []gluonParam, args []*node, known func(key string) bool) []gluonParam {
	out := make([]gluonParam, 0, len(args))
	place := 0
	for _, a := range args {
		i := place
		if a.key == "" {
			place++
		} else if i = slices.IndexFunc(params, func(g gluonParam) bool { return g.key == a.key }); i < 0 {
			if !known(a.key) {
				return nil
			}
			out = append(out, gluonParam{a.key, "any", fieldName(a.key)})
			continue
		}
		if i < 0 || i >= len(params) || !params[i].takesArgument(a) {
			return nil
		}
		out = append(out, params[i])
	}
	return out
}

// gluon makes the record of a layout class of Gluon. If the arguments fit no signature, the value is unread.
func (p *parser) gluon(t *term) *node {
	if !t.call {
		return nil
	}
	g := gluonTypes[t.base]
	as := g.fit(t.args, func(string) bool { return false })
	if as == nil {
		as = g.fit(t.args, func(string) bool { return true })
	}
	if len(as) > 1 && differ(as[0], as[1], t.args) {
		p.note("read by the present signature of %s; an older one names its arguments otherwise", t.base)
	}
	if as == nil {
		return unread(t.base, "its arguments fit no signature that girih knows", t.start, t.end)
	}
	n := &node{kind: nodeRecord, text: g.name}
	for i, a := range t.args {
		if isNone(a) {
			continue
		}
		name, v := as[0][i].field, as[0][i].value(a)
		if name == "version" && v.kind == nodeList && len(v.kids) == 2 && g.name == "nvidia_mma" {
			n.add("versionMajor", v.kids[0])
			n.add("versionMinor", v.kids[1])
			continue
		}
		n.add(name, v)
	}
	return n
}

// value returns an argument as the value of the parameter's field.
func (g gluonParam) value(a *node) *node {
	switch {
	case a.kind == nodeTuple && g.takes != "any":
		list := *a
		list.kind = nodeList
		return &list
	case a.kind == nodeSym || a.kind == nodeOpaque:
		text := strings.Join(strings.Fields(a.text), " ")
		if text == "True" || text == "False" {
			text = strings.ToLower(text)
		}
		return &node{kind: nodeLeaf, text: text, start: a.start, end: a.end}
	}
	return a
}

// fit returns the parameters of the arguments in each signature that the arguments fit.
func (g gluonType) fit(args []*node, known func(key string) bool) (fits [][]gluonParam) {
	for _, form := range g.forms {
		if as := assign(paramsOf(form), args, known); as != nil || len(args) == 0 {
			fits = append(fits, as)
		}
	}
	return fits
}

// differ reports whether two signatures assign the arguments to different fields. Arguments that are empty lists are
// ignored.
func differ(a, b []gluonParam, args []*node) bool {
	for i := range args {
		if a[i].field != b[i].field && (args[i].kind != nodeList || len(args[i].kids) > 0) && !isNone(args[i]) {
			return true
		}
	}
	return false
}

// fieldName returns the field of a keyword: kWidth for k_width.
func fieldName(key string) string {
	if name, ok := gluonKeys[key]; ok {
		return name
	}
	parts := strings.Split(key, "_")
	for i, s := range parts[1:] {
		if s != "" {
			parts[i+1] = strings.ToUpper(s[:1]) + s[1:]
		}
	}
	return strings.Join(parts, "")
}
