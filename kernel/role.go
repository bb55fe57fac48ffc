package kernel

import (
	"fmt"

	"girih/cute"
	"girih/internal/machine/address"
	"girih/internal/machine/lower"
	"girih/ptx"
	"girih/symbolic"
)

// This file defines the roles of warps and warpgroups: how a thread finds its role, how warpgroups exchange registers,
// and how some of the warps synchronise.

// hopper is the first target with waiting mbarriers, bulk copies, elect and clusters.
var hopper = lower.Target{Chip: "sm_90", Version: ptx.Version{Major: 8}}

// WarpIdx returns the number of the warp in its block, in a form that the compiler knows to be the same for the whole
// warp: canonical_warp_idx_sync. It fails with [cute.CodeNotDivisible] for blocks of incomplete warps.
func (k *K) WarpIdx() Index { return k.uniform("warp", 32) }

// WarpgroupIdx returns the number of the warpgroup, 128 threads, in its block: canonical_warp_group_idx. It fails with
// [cute.CodeNotDivisible] for blocks of incomplete warpgroups.
func (k *K) WarpgroupIdx() Index { return k.uniform("warpgroup", 128) }

// WarpgroupThreadIdx returns the number of the thread in its warpgroup.
func (k *K) WarpgroupThreadIdx() Index {
	const key = "warpgroup.thread"
	if x, ok := k.special[key]; ok {
		return x
	}
	sym := k.symbol(key, symbolic.Facts{Max: min(k.threads, 128) - 1}, levelThread)
	r := k.b.Reg(ptx.B32)
	k.hoistThread(r)
	k.c.Hoist(&ptx.Instr{Op: "and.b32", Operands: []ptx.Operand{r, r, ptx.Int(127)}})
	k.c.DefineFirst(sym, r, 32)
	x := k.index(sym.Expr())
	k.special[key] = x
	return x
}

func (k *K) uniform(name string, n int64) Index {
	key := ptx.Name(name)
	if x, ok := k.special[key]; ok {
		return x
	}
	if k.threads%n != 0 {
		k.advise("take a multiple of %d threads", n).refuse(name+"_idx", cute.CodeNotDivisible,
			"a block of %d threads is no number of %ss, of %d threads each",
			k.threads, name, n)
	}
	if k.threads == n {
		return Int(0)
	}
	sym := k.symbol(name, symbolic.Facts{Max: k.threads/n - 1}, levelThread)
	r := k.b.Reg(ptx.B32)
	shift := ptx.Int(5)
	if n == 128 {
		shift = 7
	}
	k.hoistThread(r)
	k.c.Hoist(&ptx.Instr{Op: "shr.u32", Operands: []ptx.Operand{r, r, shift}})
	k.c.Hoist(&ptx.Instr{
		Op: "shfl.sync.idx.b32", Operands: []ptx.Operand{r, r, ptx.Int(0), ptx.Int(31), ptx.Int(-1)},
	})
	k.c.DefineFirst(sym, r, 32)
	x := k.index(sym.Expr())
	k.special[key] = x
	return x
}

// hoistThread loads the number of the thread into a register at the beginning of the kernel.
func (k *K) hoistThread(r ptx.Name) {
	k.ThreadIdx()
	k.c.Hoist(&ptx.Instr{Op: "mov.u32", Operands: []ptx.Operand{r, ptx.Name("%tid.x")}})
}

// ElectOne returns a condition that holds for one thread of the warp: elect_one_sync. All threads of the warp must
// execute it. Operations of one thread, such as an arrival with expected bytes or the start of a TMA copy, need this
// condition.
func (k *K) ElectOne() Cond {
	d := k.op("elect_one_sync", 0)
	defer d.end()
	k.require(hopper)
	p := k.b.Reg(ptx.Pred)
	k.together("elect")
	k.emit("elect.sync", ptx.Pair{First: ptx.Sink, Second: p}, ptx.Int(-1))
	d.name(p)
	c := Cond{k: k, terms: &terms{holds: []ptx.Operand{p}}, state: state{one: true}}
	k.conds[p] = &c
	return c
}

// elects reports whether a predicate is a result of [K.ElectOne] and nothing else.
func (k *K) elects(p ptx.Operand) bool {
	name, ok := p.(ptx.Name)
	c := k.condOf(name)
	return ok && c.one && len(c.less()) == 0 && len(c.holds()) == 1 && c.holds()[0] == p
}

// alone refuses a single-thread operation if nothing ensures that only one thread executes it.
func (k *K) alone(op string) {
	if k.err != nil || k.single > 0 {
		return
	}
	if warp, n := k.mostLanes(); n > 1 {
		k.repair("put it under k.If(k.ElectOne(), ...), of one warp", &cute.Error{
			Code: cute.CodeMode, Op: op,
			Msg: fmt.Sprintf("one thread does this for all, and nothing here says that there is one: %d threads of warp %d may",
				n, warp),
		})
	}
}

// mostLanes returns the warp with the most threads that may execute what is traced now, and their number.
func (k *K) mostLanes() (warp, lanes int) {
	n := make([]int, (k.threads+WarpSize-1)/WarpSize)
	for i, c := range k.executes(k.around) {
		if w := i / WarpSize; c != never {
			if n[w]++; n[w] > n[warp] {
				warp = w
			}
		}
	}
	return warp, n[warp]
}

// isOne reports whether a condition holds for at most one thread of the block.
func (k *K) isOne(c Cond) bool {
	if c.one {
		return true
	}
	tid, ok := k.special["%tid.x"]
	for _, l := range c.less() {
		if d := k.s.Sub(l[1], l[0]); ok && d == k.s.Sub(k.s.Const(1), tid.x()) {
			return true
		}
	}
	return k.threads == 1
}

// MinBlocksPerMultiprocessor limits the registers of the kernel so that n blocks fit in a multiprocessor: one block can
// work while another begins or ends. n is the second number of __launch_bounds__. The call must come before
// [K.WarpgroupRegAlloc] and [K.WarpgroupRegDealloc], which otherwise assume one block. It fails with [cute.CodeExtent]
// for n < 1 and if n blocks have more threads than the 2048 of a multiprocessor, and [cute.CodeFact] for a second call.
func (k *K) MinBlocksPerMultiprocessor(n int64) {
	switch {
	case k.minBlocks != 0:
		k.advise("ask once, before registers are passed on").refuse("min_blocks", cute.CodeFact,
			"the kernel is compiled for %d blocks of a multiprocessor already", k.minBlocks)
	case n < 1 || n > 2048/k.threads:
		k.refuse("min_blocks", cute.CodeExtent, "expected 1 to %d blocks of %d threads of the 2048 of a multiprocessor, found %d",
			2048/k.threads, k.threads, n)
	default:
		k.minBlocks = n
		k.b.Direct("minnctapersm", n)
	}
}

// WarpgroupRegAlloc raises the registers of each thread of the warpgroup to n, and waits until other warpgroups have
// released enough of them: warpgroup_reg_alloc<n>. It fails with [cute.CodeExtent] unless n is a multiple of 8 between
// 24 and 256, and if the warpgroups end with more registers than the block has, so that one waits without end.
func (k *K) WarpgroupRegAlloc(n int64) { k.setmaxnreg("warpgroup_reg_alloc", "inc", n) }

// WarpgroupRegDealloc lowers the registers of each thread of the warpgroup to n, and releases the others:
// warpgroup_reg_dealloc<n>. It has the errors of [K.WarpgroupRegAlloc].
func (k *K) WarpgroupRegDealloc(n int64) { k.setmaxnreg("warpgroup_reg_dealloc", "dec", n) }

func (k *K) setmaxnreg(op, how string, n int64) {
	defer k.op(op, n).end()
	if n < 24 || n > 256 || n%8 != 0 {
		k.refuse(op, cute.CodeExtent, "expected a multiple of 8 from 24 to 256 registers, found %d (PTX ISA, setmaxnreg)", n)
		return
	}
	blocks, most := max(k.minBlocks, 1), k.registersAtLaunch()
	if how == "inc" && n < most || how == "dec" && n > most {
		k.advise("ask for more with RegAlloc, and for fewer with RegDealloc").refuse(op, cute.CodeExtent,
			"a thread has %d of the 65536 registers, as one of %d, and is to have %d then", most,
			k.threads*blocks, n)
	}
	if k.minBlocks == 0 {
		k.MinBlocksPerMultiprocessor(1)
	}
	k.requestRegisters(op, n)
	k.emit(ptx.Op("setmaxnreg."+how+".sync.aligned.u32"), ptx.Int(n))
	k.require(warpgroupTarget)
}

// NamedBarrierSync waits until the given number of threads has come to barrier id, 1 to 15: NamedBarrier::sync. Barrier
// 0 belongs to [K.Sync]. It fails with [cute.CodeExtent] for another barrier, and unless threads is a multiple of the
// warp size and the block has that many threads. It is refused under the conditions of [K.Sync].
func (k *K) NamedBarrierSync(threads, id int64) { k.namedBarrier("bar.sync", threads, id) }

// NamedBarrierArrive comes to a barrier as [K.NamedBarrierSync] does, without waiting: NamedBarrier::arrive.
func (k *K) NamedBarrierArrive(threads, id int64) { k.namedBarrier("bar.arrive", threads, id) }

func (k *K) namedBarrier(o ptx.Op, threads, id int64) {
	if id < 1 || id > 15 || threads < 32 || threads > k.threads || threads%32 != 0 {
		k.refuse("named_barrier", cute.CodeExtent,
			"expected a barrier from 1 to 15 and whole warps of the %d threads, found barrier %d and %d threads", k.threads, id,
			threads)
		return
	}
	k.together("named_barrier")
	k.emit(o, ptx.Int(id), ptx.Int(threads))
}

// A launch allows clusters of more than portableCluster blocks, up to maxCluster, by an attribute of the kernel:
// cudaFuncAttributeNonPortableClusterSizeAllowed.
const portableCluster, maxCluster = 8, 16

// Cluster makes clusters of x by y by z blocks, which can access each other's shared memory. The grid must be a
// multiple of the cluster: [Kernel.Grid] refuses other grids. It fails with [cute.CodeExtent] for less than 1 block
// along an axis or more than 16 in all, and [cute.CodeMode] for a second call. Every chip from sm_90 supports 8 blocks;
// more are not portable, and fewer clusters fit at a time.
func (k *K) Cluster(x, y, z int64) {
	if k.cluster != [3]int64{} {
		k.refuse("cluster", cute.CodeMode, "the cluster has %v blocks already", k.cluster)
		return
	}
	if x < 1 || y < 1 || z < 1 || x > maxCluster || y > maxCluster || z > maxCluster || x*y*z > maxCluster {
		k.refuse("cluster", cute.CodeExtent, "expected a cluster of 1 to %d blocks, found %d by %d by %d", maxCluster, x, y, z)
		return
	}
	k.cluster = [3]int64{x, y, z}
	k.b.Direct("explicitcluster")
	k.b.Direct("reqnctapercluster", x, y, z)
	k.require(hopper)
}

// clusterSize returns the number of blocks in a cluster.
func (k *K) clusterSize() int64 { return max(k.cluster[0]*k.cluster[1]*k.cluster[2], 1) }

// BlockRankInCluster returns the number of the block in its cluster, along x first: block_rank_in_cluster.
func (k *K) BlockRankInCluster() Index {
	const name = "%cluster_ctarank"
	if x, ok := k.special[name]; ok {
		return x
	}
	if k.clusterSize() == 1 {
		return Int(0)
	}
	sym := k.symbol("rank", symbolic.Facts{Max: k.clusterSize() - 1}, levelBlock)
	r := k.b.Reg(ptx.B32)
	k.c.Hoist(&ptx.Instr{Op: "mov.u32", Operands: []ptx.Operand{r, ptx.Name(name)}})
	k.c.DefineFirst(sym, r, 32)
	x := k.index(sym.Expr())
	k.special[name] = x
	return x
}

// ClusterArrive arrives at the barrier of the cluster, at which [K.ClusterWait] waits for all threads of all its
// blocks: cluster_arrive.
func (k *K) ClusterArrive() {
	defer k.op("cluster_arrive", 0).end()
	k.together("cluster_arrive")
	k.emit("barrier.cluster.arrive.aligned")
	k.require(hopper)
}

// ClusterWait waits for all threads of the cluster: cluster_wait.
func (k *K) ClusterWait() {
	defer k.op("cluster_wait", 0).end()
	k.together("cluster_wait")
	k.emit("barrier.cluster.wait.aligned")
	k.require(hopper)
}

// ClusterSync waits for all threads of the cluster: cluster_sync. A block must not end while another one reads its
// shared memory or arrives at its barriers. In a kernel without clusters it is [K.Sync].
func (k *K) ClusterSync() {
	if k.clusterSize() == 1 {
		k.Sync()
		return
	}
	k.ClusterArrive()
	k.ClusterWait()
}

// whole refuses a grid that is not a multiple of the clusters, and one that no launch takes.
func (k *Kernel) whole(blocks [3]int64) error {
	for i, n := range blocks {
		if i > 0 && n > 65535 {
			return &cute.Error{
				Code: cute.CodeLimit, Op: "grid", Msg: fmt.Sprintf("%d blocks along %c, and a launch has at most 65535", n, 'x'+i),
				Hint: "count them along x",
			}
		}
		if c := max(k.Cluster[i], 1); n%c != 0 {
			return &cute.Error{
				Code: cute.CodeNotDivisible, Op: "grid",
				Msg:  fmt.Sprintf("%d blocks along %c are no multiple of the %d of a cluster", n, 'x'+i, c),
				Hint: "round up in K.Grid: n.CeilDiv(tile*cluster).Mul(kernel.Int(cluster))",
			}
		}
	}
	return nil
}

// value32 returns an expression in a register of 32 bits, or a constant.
func (k *K) value32(x address.Expr) ptx.Operand {
	r, err := k.c.Value(x, 32)
	k.fail(err)
	return r
}
