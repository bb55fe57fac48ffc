package service

import (
	"cmp"
	"encoding/json"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"girih/cute"
	"girih/dtype"
)

// This file proposes changed requests if an answer is bad. A change is proposed only if the operation has a good answer
// for it.

// A FormRepair is a changed request.
type FormRepair struct {
	Field   string          `json:"field"` // the field that differs, or the first of them
	Value   string          `json:"value"` // its text
	Request json.RawMessage `json:"request"`
}

// A formChange is what differs in a request: names of fields, each followed by its text.
type formChange []string

// in returns the changed copy of a request.
func (c formChange) in(request any) any {
	text, _ := json.Marshal(request) // a struct of strings and numbers
	fields := map[string]any{}
	_ = json.Unmarshal(text, &fields)
	for i := 0; i < len(c); i += 2 {
		fields[c[i]] = c[i+1]
	}
	q := reflect.New(reflect.TypeOf(request).Elem()).Interface()
	_ = into(fields, q) // always fits: the fields come from the request
	return q
}

// repair describes the changed request.
func (c formChange) repair(request any) FormRepair {
	text, _ := json.Marshal(c.in(request))
	return FormRepair{c[0], c[1], text}
}

// repairDescriptor proposes the nearest legal layout.
func repairDescriptor(_ *Session, request, response any) []FormRepair {
	near := response.(DescriptorResponse).Nearest
	if near == nil {
		return nil
	}
	return []FormRepair{formChange{"expr", cmp.Or(near.Expr, near.Layout)}.repair(request)}
}

// mostRepaired is the largest number of elements of a tile for which a form looks for a swizzle.
const mostRepaired = 1 << 14

// repairBank proposes a swizzled or padded tile without conflicts.
func repairBank(s *Session, request, response any) []FormRepair {
	q, r := request.(*BankRequest), response.(BankResponse)
	tile, err := cute.Parse(r.Value)
	if err != nil || r.Degree <= 1 || tile.Size() > mostRepaired {
		return nil
	}
	found := s.SolveSwizzle(SwizzleRequest{q.Expr, q.Type, q.Accesses, q.Threads, q.Target})
	var list []FormRepair
	if len(found.Swizzles) > 0 && found.Swizzles[0].Composed != "" {
		list = append(list, formChange{"expr", found.Swizzles[0].Composed}.repair(request))
	}
	if len(found.Paddings) > 0 {
		list = append(list, formChange{"expr", found.Paddings[0].Layout}.repair(request))
	}
	return list
}

// repairTMA proposes padded strides or a smaller box or, if neither is enough, both.
func repairTMA(s *Session, request, response any) []FormRepair {
	q, r := request.(*TMARequest), response.(TMAResponse)
	tensor, err := cute.Parse(q.Expr)
	typ, bad := dtype.Parse(r.Type)
	if err != nil || bad != nil || r.Legal || tensor.Depth() > 1 || q.Im2col+q.Smem != "" {
		return nil
	}
	unit := max(16*8/int64(typ.Bits()), 1)
	padded, box := formChange{"expr", paddedTensor(tensor, unit)}, formChange{"box", smallerBox(tensor, q.Box, unit)}
	for _, c := range []formChange{padded, box, append(padded, box...)} {
		if s.TMA(*c.in(q).(*TMARequest)).Legal {
			return []FormRepair{c.repair(q)}
		}
	}
	return nil
}

// paddedTensor returns a tensor of the same shape whose strides, apart from 1, are multiples of unit elements.
func paddedTensor(tensor cute.Layout, unit int64) string {
	shape, stride := tensor.Shape().Leaves(), tensor.Stride().Leaves()
	if len(stride) == 0 || slices.Min(stride) < 1 {
		return tensor.String() // elements share a place, or lie backwards
	}
	order := make([]int, len(shape))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return int(stride[a] - stride[b]) })
	end := int64(1) // of the modes before
	for _, i := range order {
		if stride[i] != 1 {
			stride[i] = (max(stride[i], end) + unit - 1) / unit * unit
		}
		end = stride[i] * shape[i]
	}
	return tmaTuple(shape) + ":" + tmaTuple(stride)
}

// smallerBox returns a box whose extents are at most 256, and along the contiguous mode a multiple of unit.
func smallerBox(tensor cute.Layout, text string, unit int64) string {
	stride := tensor.Stride().Leaves()
	parts := strings.Split(strings.Trim(text, "()<> "), ",")
	for i, part := range parts {
		n, err := strconv.ParseInt(strings.TrimSpace(part), 10, 64)
		if err != nil || i >= len(stride) {
			return text
		}
		by := int64(1)
		if stride[i] == 1 {
			by = unit
		}
		n = max(min(n, 256)/by*by, by)
		parts[i] = strconv.FormatInt(n, 10)
	}
	return strings.Join(parts, ",")
}
