package banks_test

import (
	"math/bits"
	"slices"
	"testing"

	"girih/banks"
	"girih/cute"
)

// The phases of every rule contain each lane once, a phase moves no more than the banks hold, and every rule cites its
// source.
func TestRules(t *testing.T) {
	t.Parallel()
	accesses := append(slices.Clone(sm90Accesses), "ds_read_u8", "ds_read_b32", "ds_read_b64", "ds_read_b128", "ds_read_b64_tr_b16",
		"ds_write_b32", "ds_write_b64", "ds_write_b128")
	known := 0
	for _, target := range banks.Targets() {
		for _, name := range accesses {
			access := mustAccess(t, name)
			rule, err := target.Rule(access)
			if err != nil {
				continue
			}
			known++
			if rule.Source() == "" || rule.Target() != target || rule.Access() != access || rule.Banks() < 32 {
				t.Errorf("%v on %v: source %q, %d banks", access, target, rule.Source(), rule.Banks())
			}
			for _, merged := range []bool{false, true} {
				var all []int
				phases := rule.Phases()
				if merged {
					phases = rule.MergedPhases()
				}
				for _, p := range phases {
					all = append(all, p...)
					if !merged && len(p)*max(access.Bits(), 32) > 32*rule.Banks() {
						t.Errorf("%v on %v: a phase of %d lanes moves more than %d banks", access, target, len(p), rule.Banks())
					}
				}
				slices.Sort(all)
				if merged && phases == nil {
					continue
				}
				if len(all) != rule.Lanes() || all[0] != 0 || all[len(all)-1] != rule.Lanes()-1 ||
					len(slices.Compact(all)) != rule.Lanes() {
					t.Errorf("%v on %v, merged %v: the phases %v do not have each of %d lanes once", access, target, merged, phases,
						rule.Lanes())
				}
			}
			// Contiguous accesses never conflict.
			addrs := make([]int64, rule.Lanes())
			for l := range addrs {
				addrs[l] = int64(l * access.Bits() / 8)
			}
			if c, err := rule.Count(addrs); err != nil || c.Degree != 1 || bits.OnesCount(uint(c.Wavefronts)) != 1 {
				t.Errorf("%v on %v, contiguous: %+v, %v", access, target, c, err)
			}
		}
	}
	if known < 150 {
		t.Errorf("only %d rules", known)
	}
}

func TestTargetsRefuse(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ target, access, want string }{
		{"sm70", "ldmatrix.x1", "from sm75 on"},
		{"sm75", "cp.async.4", "from sm80 on"},
		{"sm89", "stmatrix.x4", "from sm90 on"},
		{"sm90", "cp.async.cg.16", "no rule that is known"},
		{"sm80", "atom.exch.b128", "from sm90 on"},
		{"sm80", "atom.add.u32", "neither documented nor measured"},
		{"sm90", "atom.add.f32", "a loop of loads and compare-and-swaps"},
		{"sm90", "red.max.u64", "a loop"},
		{"sm90", "atom.cas.b16", "a loop"},
		{"gfx942", "atom.add.u32", "which is NVIDIA's"},
		{"sm90", "ds_read_b32", "which is AMD's"},
		{"gfx942", "ldmatrix.x1", "which is NVIDIA's"},
		{"gfx942", "cp.async.16", "which is NVIDIA's"},
		{"gfx950", "ds_write_b32", "is not documented"},
		{"gfx950", "st.8", "is not documented"},
		{"gfx942", "ds_read_b64_tr_b16", "gfx950 has it"},
		{"sm90", "ds_read_b64_tr_b8", "which is AMD's"},
	} {
		_, err := mustTarget(t, c.target).Rule(mustAccess(t, c.access))
		wantError(t, c.access+" on "+c.target, err, cute.CodeType, c.want)
	}
	_, err := banks.Target{}.Rule(mustAccess(t, "ld"))
	wantError(t, "no target", err, cute.CodeType, "ParseTarget")
	_, err = mustTarget(t, "sm90").Rule(banks.Access{})
	wantError(t, "no access", err, cute.CodeType, "ParseAccess")
	var none banks.Rule
	_, err = none.Count(nil)
	wantError(t, "no rule", err, cute.CodeType, "Target.Rule")
	for _, name := range []string{"", "sm", "sm91", "gfx90a", "sm_1000"} {
		_, err := banks.ParseTarget(name)
		wantError(t, name, err, cute.CodeName, "expected one of the targets")
	}
}

func TestCountRefuses(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		access string
		addrs  []int64
		code   cute.Code
		want   string
	}{
		{"ld.32", make([]int64, 33), cute.CodeRank, "found 33 addresses"},
		{"ld.32", []int64{0, -2}, cute.CodeNegative, "lane 1 has the negative address -2"},
		{"ld.16", []int64{0, 2, 5}, cute.CodeNotDivisible, "lane 2 has the address 5"},
		{"st.128", []int64{8}, cute.CodeNotDivisible, "at most 64 bits"},
		{"ldmatrix.x1", make([]int64, 7), cute.CodeRank, "lane 7 has no address"},
		{"ldmatrix.x2", append(make([]int64, 15), banks.Inactive), cute.CodeRank, "lane 15 has no address"},
		{"stmatrix.x1", []int64{0, 0, 0, 0, 0, 0, 0, 8}, cute.CodeNotDivisible, "lane 7"},
	} {
		_, err := banks.Wavefronts(mustTarget(t, "sm90"), mustAccess(t, c.access), c.addrs)
		wantError(t, c.access, err, c.code, c.want)
	}
}

func TestPlanRefuses(t *testing.T) {
	t.Parallel()
	rule := func(access string, bits int) banks.Rule {
		a, err := banks.ParseAccess(access, bits)
		if err != nil {
			t.Fatal(err)
		}
		r, err := mustTarget(t, "sm90").Rule(a)
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	for _, c := range []struct {
		layout, access string
		bits           int
		threads        banks.Threads
		code           cute.Code
		want           string
	}{
		{"64:1", "ld.32", 64, banks.Threads{}, cute.CodeNotDivisible, "not a whole number of elements of 64 bits"},
		{"64:1", "ld.32", 0, banks.Threads{}, cute.CodeNotDivisible, "elements of 0 bits"},
		{"(8,8):(1@0,1@1)", "ld", 32, banks.Threads{}, cute.CodeCodomain, "are coordinates"},
		{"(8,63):(64,1)", "ld.128", 16, banks.Threads{}, cute.CodeNotDivisible, "splits into more than 7"},
		{"64:1", "ld", 32, banks.Cols(), cute.CodeRank, "at least 2 modes"},
		{"(4,16):(16,1)", "ldmatrix.x4", 16, banks.Threads{}, cute.CodeNotDivisible, "takes 32 rows of 16 bytes, and (4,16):(16,1) has 8"},
		{"(8,64):(64,1)", "ldmatrix.x4", 16, byTV("(16,8):(1,8)"), cute.CodeRank, "the last warp has 16 threads"},
		{"64:1", "ld.64", 32, byTV("(32,1):(1,0)"), cute.CodeNotDivisible, "each thread has 1 value"},
		{"64:1", "ld.128", 32, byTV("(8,6):(8,1)"), cute.CodeNotDivisible, "an access of 64 bits"},
		{"64:1", "ld", 32, byTV("(32,2):(1,33)"), cute.CodeNotRepresentable, "thread 31, value 1 has the index 64, and 64:1 has 64 elements"},
		{"64:1", "ld", 32, byTV("(32,2):(-1,33)"), cute.CodeNotRepresentable, "thread 1, value 0 has the index -1"},
		{"64:1", "ld", 32, byTV("():()"), cute.CodeRank, "a mode for threads"},
		{"(64,8):(1,64)", "ld", 32, byThr("(32,3):(1,32)"), cute.CodeNotDivisible, "mode 1 of (64,8):(1,64) has 8 elements, which tiles of 3"},
		{"(64,8):(1,64)", "ld", 32, byThr("(32,2):(1,0)"), cute.CodeNotInjective, "every number from 0 to 63"},
		{"(64,8):(1,64)", "ld", 32, byThr("(2,2,2):(1,2,4)"), cute.CodeRank, "has 3 modes, and the memory 2"},
		{"(64,8):(1,64)", "ld", 32, byThr("(2,2):(1@0,1@1)"), cute.CodeCodomain, "are coordinates"},
	} {
		_, err := banks.NewPlan(rule(c.access, c.bits), cute.MustParse(c.layout), c.bits, c.threads)
		wantError(t, c.layout+" "+c.access, err, c.code, c.want)
	}
	for _, c := range []struct {
		layout, access string
		bits           int
		threads        banks.Threads
		code           cute.Code
		want           string
	}{
		{"(8,64):(64,1)", "st.v2", 16, byTV("(32,2):(1,64)"), cute.CodeNotRepresentable, "of thread 0, value 0 has the offset 0 and value 1 the offset 8, where 1 is expected"},
		{"(8,64):(66,1)", "ld.128", 16, banks.Threads{}, cute.CodeNotDivisible, "value 0 of thread 1 has the offset 66"},
		{"(8,64):(66,1)", "ld.128", 16, banks.Threads{}, cute.CodeNotDivisible, "an access of 32 bits fits, 2 elements"},
		{"(8,64):(65,1)", "ld.v4", 4, banks.Threads{}, cute.CodeNotDivisible, "no access fits"},
		{"8:-1", "ld", 16, banks.Threads{}, cute.CodeNegative, "value 0 of thread 1 has the offset -1"},
		{"2:4611686018427387904", "ld", 16, banks.Threads{}, cute.CodeOverflow, "beyond any memory"},
	} {
		p, err := banks.NewPlan(rule(c.access, c.bits), cute.MustParse(c.layout), c.bits, c.threads)
		if err != nil {
			t.Errorf("%s: %v", c.layout, err)
			continue
		}
		_, err = p.Count(nil)
		wantError(t, c.layout+" "+c.access, err, c.code, c.want)
	}
	p, err := banks.NewPlan(rule("ld", 32), cute.MustParse("64:1"), 32, banks.Threads{})
	if err != nil {
		t.Fatal(err)
	}
	for _, at := range [][2]int{{-1, 0}, {1, 0}, {0, 2}} {
		_, err := p.Addresses(nil, nil, at[0], at[1])
		wantError(t, "place", err, cute.CodeRank, "a warp below 1 and an instruction below 2")
	}
	_, err = p.Count(make([]int64, 63))
	wantError(t, "offsets", err, cute.CodeRank, "expected 64 offsets")
	_, err = p.Traffic(nil, 2)
	wantError(t, "base", err, cute.CodeNotDivisible, "the base address 2")
	_, err = p.Traffic(nil, -4)
	wantError(t, "base", err, cute.CodeNegative, "-4")
	_, err = banks.NewPlan(banks.Rule{}, cute.MustParse("64:1"), 32, banks.Threads{})
	wantError(t, "no rule", err, cute.CodeType, "the rule of a target")
	_, err = banks.RequestTraffic([]int64{0}, 0)
	wantError(t, "width", err, cute.CodeExtent, "found 0")
	_, err = banks.RequestTraffic([]int64{-5}, 4)
	wantError(t, "address", err, cute.CodeNegative, "-5")
	_, err = banks.RequestTraffic([]int64{1 << 62}, 4)
	wantError(t, "address", err, cute.CodeOverflow, "beyond any memory")
	array := banks.Array{Memory: cute.MustParse("64:1"), ElemBits: 32}
	_, err = array.WidestAccess(mustTarget(t, "sm90"), banks.Load, byTV("(32,2):(1,33)"))
	wantError(t, "widest", err, cute.CodeNotRepresentable, "index 64")
}

// A plan for threads with coordinate strides equals the plan for the indices of these coordinates.
func TestTVOfCoordinates(t *testing.T) {
	t.Parallel()
	mem := cute.MustParse("(16,8):(8,1)")
	a, _ := plan(t, "sm90", "ld", mem, 32, byTV("((8,4),2):((1@1,2@0),1@0)"))
	b, _ := plan(t, "sm90", "ld", mem, 32, byTV("((8,4),2):((16,2),1)"))
	for i := range 2 {
		x, err1 := a.Addresses(nil, nil, 0, i)
		y, err2 := b.Addresses(nil, nil, 0, i)
		if err1 != nil || err2 != nil || !slices.Equal(x, y) {
			t.Errorf("%v %v, %v %v", x, err1, y, err2)
		}
	}
}

func TestGlobalRule(t *testing.T) {
	t.Parallel()
	for _, access := range []string{"ld.128", "st.8", "cp.async.16", "cp.async.cg.16", "atom.add.u32", "red.add.f32"} {
		if _, err := mustTarget(t, "sm90").GlobalRule(mustAccess(t, access)); err != nil {
			t.Errorf("%s: %v", access, err)
		}
	}
	_, err := mustTarget(t, "sm90").GlobalRule(mustAccess(t, "ldmatrix.x4"))
	wantError(t, "ldmatrix.x4", err, cute.CodeType, "shared memory only")
	_, err = mustTarget(t, "sm80").GlobalRule(mustAccess(t, "atom.add.u32"))
	wantError(t, "atom.add.u32", err, cute.CodeType, "neither documented nor measured")
	_, err = mustTarget(t, "sm75").GlobalRule(mustAccess(t, "cp.async.cg.16"))
	wantError(t, "sm75", err, cute.CodeType, "from sm80 on")
}
