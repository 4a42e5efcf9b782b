// What the C++ library does to the nodes of trees, lists and hash tables, whose other code is in
// its headers and so instrumented. Of an insertion or a removal in a tree we see what has changed
// around the nodes where it may balance the tree.
#include <cstdint>
#include <cstring>

#include "runtime/libc/imports.h"
#include "runtime/libc/seen_calls.h"

namespace mazurka {
namespace {

// NOLINTBEGIN(bugprone-sizeof-expression): pointers are what is read and written

// libstdc++'s own layouts; they are part of its ABI.
struct TreeNode {
  int colour;  // 0: red
  TreeNode* parent;
  TreeNode* left;
  TreeNode* right;
};
struct ListNode {
  ListNode* next;
  ListNode* previous;
};

// Like std::pair<bool, size_t>.
struct RehashAnswer {
  bool is_needed;
  size_t buckets;
};

template <typename T>
T* seen(T* const& field, const SeenAccesses& at) {
  at.reads(&field, sizeof field);
  return field;
}

void reads_forth(const TreeNode* x, const SeenAccesses& at) {
  if (seen(x->right, at) != nullptr) {
    for (x = x->right; x != nullptr; x = seen(x->left, at)) {
    }
    return;
  }
  const TreeNode* y = seen(x->parent, at);
  while (x == seen(y->right, at)) {
    x = y;
    y = seen(y->parent, at);
  }
}

void reads_back(const TreeNode* x, const SeenAccesses& at) {
  at.reads(&x->colour, sizeof x->colour);
  const TreeNode* y = seen(x->parent, at);
  if (x->colour == 0 && seen(y->parent, at) == x) {
    at.reads(&x->right, sizeof x->right);
    return;
  }
  if (seen(x->left, at) != nullptr) {
    for (x = x->left; x != nullptr; x = seen(x->right, at)) {
    }
    return;
  }
  while (x == seen(y->left, at)) {
    x = y;
    y = seen(y->parent, at);
  }
}

// The nodes that balancing may change, as they were. Too large for small stacks; nobody else runs
// between the two functions.
class Surroundings {
 public:
  void begin(TreeNode* from, TreeNode* header) {
    count_ = 0;
    add(header);
    for (TreeNode* node = from; node != nullptr && node != header; node = node->parent)
      add_below(node, 3);
  }
  void add_below(TreeNode* node, int depth) {
    if (node == nullptr || depth < 0) return;
    add(node);
    add_below(node->left, depth - 1);
    add_below(node->right, depth - 1);
  }
  void tell_changes(const SeenAccesses& at) const {
    if (count_ == kMost) name_unknown_accesses("a change of a very deep std::map", at.caller());
    for (int i = 0; i < count_; ++i) {
      TreeNode* const node = nodes_[i].place;
      const TreeNode& old = nodes_[i].old;
      if (node->colour != old.colour) at.has_written(&node->colour, sizeof node->colour);
      if (node->parent != old.parent) at.has_written(&node->parent, sizeof node->parent);
      if (node->left != old.left) at.has_written(&node->left, sizeof node->left);
      if (node->right != old.right) at.has_written(&node->right, sizeof node->right);
    }
  }

 private:
  static constexpr int kMost = 512;
  struct Known {
    TreeNode* place;
    TreeNode old;
  };
  void add(TreeNode* node) {
    for (int i = 0; i < count_; ++i) {
      if (nodes_[i].place == node) return;
    }
    if (count_ < kMost) nodes_[count_++] = {node, *node};
  }
  Known nodes_[kMost];
  int count_;
};
Surroundings around;

// Whose place the removed node's takes, and so where the tree may need balancing.
TreeNode* successor_of_removed(TreeNode* node) {
  if (node->left == nullptr || node->right == nullptr) return node;
  TreeNode* next = node->right;
  while (next->left != nullptr) next = next->left;
  return next;
}

#define MAZURKA_SEEN MAZURKA_SEEN_FUNCTION
#define MAZURKA_SEEN_VOID MAZURKA_SEEN_VOID_FUNCTION
#include "runtime/libc/container_rows.inc"
#undef MAZURKA_SEEN
#undef MAZURKA_SEEN_VOID

#define MAZURKA_SEEN(type, name, parameters, arguments, before, after) \
  MAZURKA_SEEN_ENTRY(name, name)
#define MAZURKA_SEEN_VOID(name, parameters, arguments, before, after) MAZURKA_SEEN_ENTRY(name, name)
const SeenCall kContainerCalls[] = {
#include "runtime/libc/container_rows.inc"
};

// NOLINTEND(bugprone-sizeof-expression)
}  // namespace

SeenCalls seen_container_calls() {
  return {kContainerCalls, sizeof kContainerCalls / sizeof *kContainerCalls};
}

}  // namespace mazurka
