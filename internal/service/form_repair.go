package service

import (
	"encoding/json"
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
	Field   string          `json:"field"` // the field that differs
	Value   string          `json:"value"` // its text
	Request json.RawMessage `json:"request"`
}

// repairOf describes a changed request.
func repairOf(field, value string, request any) FormRepair {
	text, _ := json.Marshal(request) // structs of strings and numbers
	return FormRepair{field, value, text}
}

// repairDescriptor proposes the nearest legal layout.
func repairDescriptor(_ *Session, request, response any) []FormRepair {
	q, near := *request.(*DescriptorRequest), response.(DescriptorResponse).Nearest
	if near == nil {
		return nil
	}
	q.Expr = near.Expr
	if q.Expr == "" {
		q.Expr = near.Layout
	}
	return []FormRepair{repairOf("expr", q.Expr, q)}
}

// mostRepaired is the largest number of elements of a tile for which a form looks for a swizzle.
const mostRepaired = 1 << 14

// repairBank proposes a swizzled or padded tile without conflicts.
func repairBank(s *Session, request, response any) []FormRepair {
	q, r := *request.(*BankRequest), response.(BankResponse)
	tile, err := cute.Parse(r.Value)
	if err != nil || r.Degree <= 1 || tile.Size() > mostRepaired {
		return nil
	}
	found := s.SolveSwizzle(SwizzleRequest{q.Expr, q.Type, q.Accesses, q.Threads, q.Target})
	var list []FormRepair
	if len(found.Swizzles) > 0 && found.Swizzles[0].Composed != "" {
		q.Expr = found.Swizzles[0].Composed
		list = append(list, repairOf("expr", q.Expr, q))
	}
	if len(found.Paddings) > 0 {
		q.Expr = found.Paddings[0].Layout
		list = append(list, repairOf("expr", q.Expr, q))
	}
	return list
}

// repairTMA proposes padded strides and a smaller box, alone or, if neither is enough, together.
func repairTMA(s *Session, request, response any) []FormRepair {
	q, r := *request.(*TMARequest), response.(TMAResponse)
	tensor, err := cute.Parse(q.Expr)
	typ, bad := dtype.Parse(r.Type)
	if !r.OK || r.Legal || err != nil || bad != nil || tensor.Depth() > 1 || q.Im2col != "" || q.Smem != "" {
		return nil
	}
	unit := max(16*8/int64(typ.Bits()), 1)
	padded, box := q, q
	padded.Expr, box.Box = paddedTensor(tensor, unit), smallerBox(tensor, q.Box, unit)
	both := padded
	both.Box = box.Box
	var list []FormRepair
	for _, x := range []struct {
		field string
		q     TMARequest
	}{{"expr", padded}, {"box", box}, {"expr", both}} {
		if x.q != q && len(list) == 0 && s.TMA(x.q).Legal {
			list = append(list, repairOf(x.field, map[string]string{"expr": x.q.Expr, "box": x.q.Box}[x.field], x.q))
		}
	}
	return list
}

// paddedTensor returns a tensor of the same shape whose strides, apart from 1, are multiples of unit elements.
func paddedTensor(tensor cute.Layout, unit int64) string {
	shape, stride := tensor.Shape().Leaves(), tensor.Stride().Leaves()
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
