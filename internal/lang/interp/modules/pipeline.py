# The pipelines of the CuTe DSL: stages, each with an mbarrier that says that it is full and one that says that it is empty.

import enum
import cutlass
import cutlass.cute as cute


class Agent(enum.Enum):
    Thread = 1
    ThreadBlock = 2
    ThreadBlockCluster = 3
    Warp = 4


class PipelineUserType(enum.Enum):
    Producer = 1
    Consumer = 2
    ProducerConsumer = 3


class CooperativeGroup:
    def __init__(self, agent, size=1, alignment=None):
        self.agent = agent
        self.size = size


class PipelineState:
    def __init__(self, stages, count, index, phase):
        self.stages = stages
        self.count = count
        self.index = index
        self.phase = phase

    def clone(self):
        return PipelineState(self.stages, self.count, self.index, self.phase)

    def reset_count(self):
        self.count = cutlass.Int32(0)

    def advance(self):
        self.index = self.index + 1
        self.count = self.count + 1
        if self.index == self.stages:
            self.index = cutlass.Int32(0)
            self.phase = self.phase ^ 1

    def reverse(self):
        self.index = self.index - 1
        self.count = self.count - 1
        if self.index == -1:
            self.index = cutlass.Int32(self.stages - 1)
            self.phase = self.phase ^ 1


def make_pipeline_state(type, stages):
    phase = 1 if type is PipelineUserType.Producer else 0
    return PipelineState(stages, cutlass.Int32(0), cutlass.Int32(0), cutlass.Int32(phase))


class _Handle:
    def __init__(self, participant, state):
        self._participant = participant
        self._state = state
        self.index = state.index
        self.count = state.count

    @property
    def barrier(self):
        return self._participant._pipeline.producer_get_barrier(self._state)

    def commit(self):
        self._participant._pipeline.producer_commit(self._state)

    def release(self):
        self._participant._pipeline.consumer_release(self._state)


class _Participant:
    def __init__(self, pipeline, type):
        self._pipeline = pipeline
        self._type = type
        self.reset()

    def reset(self):
        self._state = make_pipeline_state(self._type, self._pipeline.num_stages)

    def clone(self):
        other = _Participant(self._pipeline, self._type)
        other._state = self._state.clone()
        return other

    def _take(self, token):
        if self._type is PipelineUserType.Producer:
            self._pipeline.producer_acquire(self._state, token)
        else:
            self._pipeline.consumer_wait(self._state, token)
        return _Handle(self, self._state.clone())

    def advance(self):
        self._state.advance()

    def acquire(self, try_acquire_token=None):
        return self._take(try_acquire_token)

    def wait(self, try_wait_token=None):
        return self._take(try_wait_token)

    def acquire_and_advance(self, try_acquire_token=None):
        handle = self._take(try_acquire_token)
        self.advance()
        return handle

    def wait_and_advance(self, try_wait_token=None):
        return self.acquire_and_advance(try_wait_token)

    def try_acquire(self):
        return None

    def try_wait(self):
        return None

    def commit(self, handle=None):
        (_Handle(self, self._state) if handle is None else handle).commit()

    def release(self, handle=None):
        (_Handle(self, self._state) if handle is None else handle).release()

    def tail(self):
        self._pipeline.producer_tail(self._state)


class PipelineAsync:
    def __init__(self, num_stages, barriers):
        self.num_stages = num_stages
        self._barriers = barriers

    @classmethod
    def create(cls, *, num_stages, producer_group, consumer_group, barrier_storage=None, producer_mask=None,
               consumer_mask=None, defer_sync=False, enable_multicast_signaling=False):
        if barrier_storage is None:
            barrier_storage = cutlass.utils.SmemAllocator().allocate_array(cutlass.Int64, 2 * num_stages)
        tidx, tidy, tidz = cute.arch.thread_idx()
        if tidx == 0 and tidy == 0 and tidz == 0:
            for i in cutlass.range_constexpr(num_stages):
                cute.arch.mbarrier_init(barrier_storage + i, producer_group.size)
                cute.arch.mbarrier_init(barrier_storage + num_stages + i, consumer_group.size)
        if not defer_sync:
            cute.arch.sync_threads()
        return cls(num_stages, barrier_storage)

    def producer_get_barrier(self, state):
        return self._barriers + state.index

    def producer_acquire(self, state, try_acquire_token=None):
        cute.arch.mbarrier_wait(self._barriers + self.num_stages + state.index, state.phase)

    def producer_try_acquire(self, state):
        return None

    def producer_commit(self, state):
        cute.arch.mbarrier_arrive(self._barriers + state.index)

    def producer_tail(self, state):
        for i in cutlass.range_constexpr(self.num_stages - 1):
            state.advance()
        self.producer_acquire(state)

    def consumer_wait(self, state, try_wait_token=None):
        cute.arch.mbarrier_wait(self._barriers + state.index, state.phase)

    def consumer_try_wait(self, state):
        return None

    def consumer_release(self, state):
        cute.arch.mbarrier_arrive(self._barriers + self.num_stages + state.index)

    def make_producer(self):
        return _Participant(self, PipelineUserType.Producer)

    def make_consumer(self):
        return _Participant(self, PipelineUserType.Consumer)

    def make_participants(self):
        return self.make_producer(), self.make_consumer()


def pipeline_init_arrive(cluster_shape_mn=None, is_relaxed=False):
    pass


def pipeline_init_wait(cluster_shape_mn=None):
    cute.arch.sync_threads()


def sync(barrier_id=0):
    cute.arch.sync_threads()


class NamedBarrier:
    def __init__(self, barrier_id, num_threads):
        self.barrier_id = barrier_id
        self.num_threads = num_threads

    def arrive_and_wait(self):
        cute.arch.barrier(barrier_id=self.barrier_id, number_of_threads=self.num_threads)

    def sync(self):
        self.arrive_and_wait()
