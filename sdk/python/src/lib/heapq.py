from _heapq import heapify, heappop, heappush


def heappushpop(heap, item):
    if heap and heap[0] < item:
        item, heap[0] = heap[0], item
        heapify(heap)
    return item


def heapreplace(heap, item):
    least = heappop(heap)
    heappush(heap, item)
    return least


def nlargest(n, items, key=None):
    return sorted(items, key=key, reverse=True)[:n]


def nsmallest(n, items, key=None):
    return sorted(items, key=key)[:n]


def merge(*lists, key=None, reverse=False):
    return iter(sorted([item for items in lists for item in items], key=key, reverse=reverse))
