package kernel

import (
	"girih/cute"
	"girih/dtype"
	"girih/ptx"
)

// This file defines what the lanes of a warp tell each other besides values: votes and matches. All threads of the warp
// must execute them: they are refused as [K.Sync] is.

// ShflUp returns the value of the lane that is delta lanes before, and the lane's own value in the first delta lanes:
// __shfl_up_sync. Its errors are the errors of [K.ShflXor].
func (k *K) ShflUp(v Value, delta int64) Value { return k.shuffle(v, "up", Int(delta)) }

// ShflDown returns the value of the lane that is delta lanes after, and the lane's own value in the last delta lanes:
// __shfl_down_sync. Its errors are the errors of [K.ShflXor].
func (k *K) ShflDown(v Value, delta int64) Value { return k.shuffle(v, "down", Int(delta)) }

// Ballot returns the lanes for which the condition holds, as the bits of a u32: __ballot_sync.
func (k *K) Ballot(c Cond) Value {
	if k.together("ballot"); !k.meets("ballot", c) {
		return k.valueOf(ptx.Sink, dtype.U32)
	}
	switch p := k.predicate(c); {
	case c.never:
		return k.Number(dtype.U32, 0)
	case p == nil:
		return k.Number(dtype.U32, 1<<WarpSize-1)
	default:
		return k.valueOf(k.let(ptx.B32, "vote.sync.ballot.b32", p, everyone), dtype.U32)
	}
}

// VoteAny returns the condition that c holds for at least one lane: __any_sync.
func (k *K) VoteAny(c Cond) Cond { return k.vote("any", c) }

// VoteAll returns the condition that c holds for all lanes: __all_sync.
func (k *K) VoteAll(c Cond) Cond { return k.vote("all", c) }

func (k *K) vote(how ptx.Op, c Cond) Cond {
	if k.together("vote"); !k.meets("vote", c) {
		return Cond{k: k, state: state{never: true}}
	}
	p := k.predicate(c)
	if c.never || p == nil {
		return c
	}
	return Cond{k: k, terms: &terms{holds: []ptx.Operand{k.let(ptx.Pred, "vote.sync."+how+".pred", p, everyone)}}}
}

// MatchAny returns the lanes whose value has the same bits, as the bits of a u32: __match_any_sync. It fails with
// [cute.CodeType] unless values have 32 or 64 bits.
func (k *K) MatchAny(v Value) Value {
	o, ok := k.match("any", v)
	if !ok {
		return k.valueOf(ptx.Sink, dtype.U32)
	}
	return k.valueOf(k.let(ptx.B32, o, v.reg, everyone), dtype.U32)
}

// MatchAll returns the condition that the values of all lanes have the same bits: __match_all_sync, with the errors of
// [K.MatchAny].
func (k *K) MatchAll(v Value) Cond {
	o, ok := k.match("all", v)
	if !ok {
		return Cond{k: k, state: state{never: true}}
	}
	p := k.b.Reg(ptx.Pred)
	k.emit(o, ptx.Pair{First: ptx.Sink, Second: p}, v.reg, everyone)
	return Cond{k: k, terms: &terms{holds: []ptx.Operand{p}}}
}

func (k *K) match(how ptx.Op, v Value) (ptx.Op, bool) {
	if bits := v.typ.Bits(); k.takes("match", v) && bits != 32 && bits != 64 {
		k.refuse("match", cute.CodeType, "expected values of 32 or 64 bits, found %v", v.typ)
		return "", false
	}
	k.together("match")
	typ, _ := registerType(v.typ)
	return "match." + how + ".sync." + ptx.Op(typ), k.err == nil
}

// LanesBelow returns the lanes before this one, as the bits of a u32: %lanemask_lt. With [K.Ballot] it numbers the
// lanes for which a condition holds.
func (k *K) LanesBelow() Value {
	return k.valueOf(k.let(ptx.B32, "mov.u32", ptx.Name("%lanemask_lt")), dtype.U32)
}
