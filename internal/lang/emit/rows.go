package emit

// A row is how an operation is written. In the texts, {1}, {2}, ... are the operands, {at1}, {at2}, ... the numbers,
// {at} and {in} all numbers, and the other words are fields of the [Step]: see texts. An empty text means that the
// language does not have the operation.
type row struct {
	op       string
	makes    makes
	cpp, dsl string
}

// A makes is what an operation makes.
type makes uint8

const (
	nothing makes = iota
	tensor        // which has a name
	part          // of a tensor, which is written where it is used
	object        // which has a name: a thread of a tiled operation
	number
)

// rows are the operations, by their names in [Step.Op]. Those with a text of another form are in statements.
var rows = []row{
	{"global", tensor, "make_tensor(make_gmem_ptr({name}), {shape}, {stride})", "cute.make_tensor({name}, cute.make_layout({shape}, stride={stride}))"},
	{"global_layout", tensor, "make_tensor(make_gmem_ptr({name}), {layout})", "cute.make_tensor({name}, {layout})"},
	{"tma_tensor", tensor, "tma_{name}.get_tma_tensor({shape})", "tma_tensor_{name}"},
	{"shared", tensor, "make_tensor(make_smem_ptr(smem.{var}.begin()), {layout}{})", "smem.allocate_tensor({type}, {layout})"},
	{"make_tensor", tensor, "make_tensor<{type}>({layout})", "cute.make_rmem_tensor({layout}, {type})"},
	{"make_fragment_like", tensor, "make_fragment_like<{type}>({1})", "cute.make_fragment_like({1}, {type})"},
	{"slice", part, "{1}({in})", "{1}[{at}]"},
	{"local_tile", tensor, "local_tile({1}, {tile}, make_coord({in}))", "cute.local_tile({1}, {tile}, ({at},))"},
	{"local_partition", tensor, "local_partition({1}, {layout}, {at}{proj})", "cute.local_partition({1}, {layout}, {at}{proj})"},
	{
		"select<1,0>", tensor, "make_tensor({1}.data(), select<1,0>({1}.layout()))",
		"cute.make_tensor({1}.iterator, cute.select({1}.layout, mode=[1, 0]))",
	},
	{"thr_mma", object, "{mma}.get_slice({at})", "{mma}.get_slice({at})"},
	{"thr_copy", object, "{copy}.get_slice({at})", "{copy}.get_slice({at})"},
	{"partition_A", tensor, "{1}.partition_A({2})", "{1}.partition_A({2})"},
	{"partition_B", tensor, "{1}.partition_B({2})", "{1}.partition_B({2})"},
	{"partition_C", tensor, "{1}.partition_C({2})", "{1}.partition_C({2})"},
	{"make_fragment_A", tensor, "{1}.make_fragment_A({2})", "{mma1}.make_fragment_A({2})"},
	{"make_fragment_B", tensor, "{1}.make_fragment_B({2})", "{mma1}.make_fragment_B({2})"},
	{"make_fragment_C", tensor, "{1}.make_fragment_C({2})", "{mma1}.make_fragment_C({2})"},
	{"partition_S", tensor, "{1}.partition_S({2})", "{1}.partition_S({2})"},
	{"partition_D", tensor, "{1}.partition_D({2})", "{1}.partition_D({2})"},
	{"retile_S", tensor, "{1}.retile_S({2})", "{1}.retile({2})"},
	{"retile_D", tensor, "{1}.retile_D({2})", "{1}.retile({2})"},

	{"copy", nothing, "copy({1}, {2})", "cute.basic_copy({1}, {2})"},
	{"copy_aligned", nothing, "copy(AutoVectorizingCopyWithAssumedAlignment<{n}>{}, {1}, {2})", "cute.basic_copy({1}, {2})"},
	{"copy_if", nothing, "copy_if({pred}, {1}, {2})", "copy_if({pred}, {1}, {2})"},
	{"copy_zfill", nothing, "copy_zfill({pred}, {1}, {2})", "copy_zfill({pred}, {1}, {2})"},
	{"copy_tiled", nothing, "copy({copy}, {1}, {2})", "cute.copy({copy}, {1}, {2})"},
	{"copy_tiled_if", nothing, "copy_if({copy}, {pred}, {1}, {2})", "copy_tiled_if({copy}, {pred}, {1}, {2})"},
	{"fill", nothing, "fill({1}, {type1}({x}))", "{1}.fill({x})"},
	{"clear", nothing, "clear({1})", "{1}.fill(0)"},
	{"gemm", nothing, "gemm({1}, {2}, {3})", "gemm({1}, {2}, {3})"},
	{"gemm_tiled", nothing, "gemm({mma}, {1}, {2}, {3})", "cute.gemm({mma}, {3}, {1}, {2}, {3})"},
	{"axpby", nothing, "axpby({1}, {3}, {2}, {4})", "axpby({1}, {3}, {2}, {4})"},
	{"axpby_if", nothing, "axpby({1}, {3}, {2}, {4}, {pred})", "axpby_if({pred}, {1}, {3}, {2}, {4})"},

	{"sync", nothing, "__syncthreads()", "cute.arch.sync_threads()"},
	{"cp_async_fence", nothing, "cp_async_fence()", "cute.arch.cp_async_commit_group()"},
	{"cp_async_wait", nothing, "cp_async_wait<{n}>()", "cute.arch.cp_async_wait_group({n})"},
	{"cluster_arrive", nothing, "cluster_arrive()", "cute.arch.cluster_arrive()"},
	{"cluster_wait", nothing, "cluster_wait()", "cute.arch.cluster_wait()"},
	{"elect_one_sync", number, "elect_one_sync()", "cute.arch.elect_one()"},
	{"warpgroup_arrive", nothing, "warpgroup_arrive()", "cute.nvgpu.warpgroup.fence()"},
	{"warpgroup_commit_batch", nothing, "warpgroup_commit_batch()", "cute.nvgpu.warpgroup.commit_group()"},
	{"warpgroup_wait", nothing, "warpgroup_wait<{n}>()", "cute.nvgpu.warpgroup.wait_group({n})"},
	{"warpgroup_fence_operand", nothing, "warpgroup_fence_operand({1})", ""},
	{
		"warpgroup_reg_alloc", nothing, "cutlass::arch::warpgroup_reg_alloc<{n}>()",
		"cute.arch.setmaxregister_increase({n})",
	},
	{
		"warpgroup_reg_dealloc", nothing, "cutlass::arch::warpgroup_reg_dealloc<{n}>()",
		"cute.arch.setmaxregister_decrease({n})",
	},
	{
		"fence_view_async_shared", nothing, "cutlass::arch::fence_view_async_shared()",
		`cute.arch.fence_proxy("async.shared", space="cta")`,
	},

	{"barriers", object, "smem.{var}", "smem.allocate_array(cutlass.Int64, {n})"},
	{"init", nothing, "Barrier::init(&{1}[{at}], {n})", "cute.arch.mbarrier_init({1} + {at}, {n})"},
	{"fence_barrier_init", nothing, "cutlass::arch::fence_barrier_init()", "cute.arch.mbarrier_init_fence()"},
	{"arrive", nothing, "Barrier::arrive(&{1}[{at}])", "cute.arch.mbarrier_arrive({1} + {at})"},
	{"arrive_cluster", nothing, "Barrier::arrive(&{1}[{at1}], {at2}, {cond})", "cute.arch.mbarrier_arrive({1} + {at1}, {at2})"},
	{
		"arrive_and_expect_tx", nothing, "Barrier::arrive_and_expect_tx(&{1}[{at}], {n})",
		"cute.arch.mbarrier_arrive_and_expect_tx({1} + {at}, {n})",
	},
	{"wait", nothing, "Barrier::wait(&{1}[{at1}], {at2})", "cute.arch.mbarrier_wait({1} + {at1}, {at2})"},
	{
		"copy_tma", nothing, "copy(tma_{name1}.with({4}[{at1}]), {2}, {3})",
		"cute.copy(tma_{name1}, {2}, {3}, tma_bar_ptr={4} + {at1})",
	},
	{
		"copy_tma_multicast", nothing, "copy(tma_{name1}.with({4}[{at1}], uint16_t({at2})), {2}, {3})",
		"cute.copy(tma_{name1}, {2}, {3}, tma_bar_ptr={4} + {at1}, mcast_mask={at2})",
	},
	{"copy_tma_store", nothing, "copy(tma_{name1}, {2}, {3})", "cute.copy(tma_{name1}, {2}, {3})"},
	{"tma_store_arrive", nothing, "tma_store_arrive()", "cute.arch.cp_async_bulk_commit_group()"},
	{"tma_store_wait", nothing, "tma_store_wait<{n}>()", "cute.arch.cp_async_bulk_wait_group({n}, read=True)"},

	{"load", number, "{1}({in})", "{1}[{at}]"},
	{"store", nothing, "{1}({in}) = {2}", "{1}[{at}] = {2}"},
	{"add", number, "{1} + {2}", "{1} + {2}"},
	{"sub", number, "{1} - {2}", "{1} - {2}"},
	{"mul", number, "{1} * {2}", "{1} * {2}"},
}
