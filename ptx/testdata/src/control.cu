// targets: sm_90a
// Control flow: tables of branches, calls, recursion, calls through pointers, printf, assert, trap, the heap.
#include <cassert>
#include <cstdio>

extern "C" __global__ void table(const int *ops, float *x, int n) {
  float a = x[0], b = x[1];
  for (int i = 0; i < n; i++) {
    switch (ops[i]) {
    case 0: a += b; break;
    case 1: a -= b * 3; break;
    case 2: a *= b; b = sinf(b); break;
    case 3: a = a / b; break;
    case 4: b = a; a = sqrtf(a); break;
    case 5: a = fmaxf(a, b); break;
    case 6: b += i; break;
    case 7: a = expf(b); break;
    case 9: return;
    default: a = 0;
    }
  }
  x[0] = a;
  x[1] = b;
}

__device__ __noinline__ int add(int a, int b) { return a * 3 + b; }
__device__ __noinline__ int sub(int a, int b) { return a - b * 5; }
struct Big { double x; int y[5]; char z; };
__device__ __noinline__ Big twice(Big v, float f) {
  v.x *= f;
  for (int &y : v.y) y += y;
  v.z++;
  return v;
}
__device__ int fib(int n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }

typedef int (*Binary)(int, int);
__device__ Binary functions[2] = {add, sub};

extern "C" __global__ void calls(int *x, Big *v, int which) {
  x[0] = add(x[0], x[1]);
  Binary f = functions[which & 1];
  x[1] = f(x[2], x[3]);
  x[2] = fib(x[4]);
  v[0] = twice(v[1], 1.25f);
}

extern "C" __global__ void says(const int *x, double d, char **heap) {
  printf("thread %d of %u: %d %f %s\n", threadIdx.x, blockDim.x, x[threadIdx.x], d, "text with \"quotes\", \\ and \t");
  assert(x[0] != 7);
  if (x[1] == 3) __trap();
  if (x[1] == 4) asm volatile("brkpt;");
  *heap = (char *)malloc(x[2]);
  if (x[3]) free(*heap);
  if (x[4]) asm volatile("exit;");
}

extern "C" __global__ void collatz(unsigned long long *x, int *steps) {
  int t = blockIdx.x * blockDim.x + threadIdx.x, n = 0;
  for (unsigned long long v = x[t]; v > 1; n++) {
    if (v & 1) {
      if (v > ~0ull / 3 - 1) { n = -1; break; }
      v = 3 * v + 1;
    } else {
      v >>= 1;
    }
  }
  steps[t] = n;
}
